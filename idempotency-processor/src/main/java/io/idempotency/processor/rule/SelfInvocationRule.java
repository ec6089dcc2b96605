package io.idempotency.processor.rule;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.MemberReferenceTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.util.TreeScanner;
import io.idempotency.processor.model.CompilerModel;
import io.idempotency.processor.model.OperationMethod;
import io.idempotency.processor.model.RuleId;
import io.idempotency.processor.plan.Operation;
import io.micronaut.inject.ast.ClassElement;
import io.micronaut.inject.visitor.VisitorContext;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Warns of calls that bypass a proxy: with {@code super}, since most proxies are subclasses, and any call from inside
 * of a bean whose proxy is another object, as those of a factory's bean and of one with a scoped proxy are.
 */
record SelfInvocationRule(VisitorContext context) implements OperationRule {

    @Override
    public void check(Operation operation, Problems problems) {
        OperationMethod method = operation.method();
        boolean isBehindProxy = method.produced()
                || method.owner()
                        .booleanValue("io.micronaut.aop.Around", "proxyTarget")
                        .orElse(false);
        Set<String> callers = new SelfCalls(method, isBehindProxy, context).callers;
        if (!callers.isEmpty()) {
            problems.of(RuleId.SELF_INVOCATION, operation)
                    .at(isBehindProxy ? method.method() : method.owner())
                    .say("called by " + String.join(", ", callers)
                            + " of the same class, past the bean's proxy, so those calls run unprotected. "
                            + (isBehindProxy
                                    ? "The proxy is another object: move the method to a bean of its own."
                                    : "Call the method without super."));
        }
    }

    /** Finds a class's calls of its own method in javac's trees, by their text and number of arguments. */
    private static final class SelfCalls extends TreeScanner<@Nullable Void, @Nullable MethodTree> {

        private final String name;
        private final int arguments;
        private final boolean isBehindProxy;

        /** The names of the owner's methods, inherited ones too, that call the operation past its proxy. */
        private final Set<String> callers = new TreeSet<>();

        private SelfCalls(OperationMethod method, boolean isBehindProxy, VisitorContext context) {
            this.name = method.method().getName();
            this.arguments = method.parameters().size();
            this.isBehindProxy = isBehindProxy;
            scanAll(method.owner(), context);
        }

        private void scanAll(ClassElement type, VisitorContext context) {
            ClassTree tree = CompilerModel.tree(type, context);
            scan(tree == null ? List.of() : tree.getMembers(), null);
            type.getSuperType().ifPresent(above -> scanAll(above, context));
            type.getInterfaces().forEach(above -> scanAll(above, context));
        }

        @Override
        public @Nullable Void visitClass(ClassTree nested, @Nullable MethodTree caller) {
            return null; // its "this" is another object
        }

        @Override
        public @Nullable Void visitMethod(MethodTree declared, @Nullable MethodTree caller) {
            return super.visitMethod(declared, declared);
        }

        @Override
        public @Nullable Void visitMethodInvocation(MethodInvocationTree call, @Nullable MethodTree caller) {
            if (call.getArguments().size() == arguments) {
                note(call.getMethodSelect().toString(), caller);
            }
            return super.visitMethodInvocation(call, caller);
        }

        @Override
        public @Nullable Void visitMemberReference(MemberReferenceTree reference, @Nullable MethodTree caller) {
            // possibly an overload: javac has not resolved it yet
            note(reference.getQualifierExpression() + "." + reference.getName(), caller);
            return super.visitMemberReference(reference, caller);
        }

        private void note(String called, @Nullable MethodTree caller) {
            boolean isOfSuper = called.equals("super." + name) || called.endsWith(".super." + name);
            boolean isOwn = called.equals(name) || called.equals("this." + name);
            if (isOfSuper ? !isOverride(caller) : isOwn && isBehindProxy) {
                callers.add(caller == null ? "an initializer" : caller.getName().toString());
            }
        }

        private boolean isOverride(@Nullable MethodTree caller) {
            return caller != null
                    && caller.getName().contentEquals(name)
                    && caller.getParameters().size() == arguments;
        }
    }
}
