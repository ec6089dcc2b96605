package io.idempotency.processor.rule;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.MemberReferenceTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.util.TreeScanner;
import io.idempotency.processor.model.CompilerModel;
import io.idempotency.processor.model.OperationMethod;
import io.idempotency.processor.model.RuleId;
import io.idempotency.processor.plan.Operation;
import io.micronaut.inject.visitor.VisitorContext;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Warns of calls that bypass a proxy. A bean behind a proxy that is another object calls its own methods without the
 * proxy: a factory's bean, and one with a scoped proxy. Most Micronaut beans are their own proxies, as subclasses.
 */
final class SelfInvocationRule implements OperationRule {

    private final VisitorContext context;

    SelfInvocationRule(VisitorContext context) {
        this.context = context;
    }

    @Override
    public void check(Operation operation, Problems problems) {
        OperationMethod method = operation.method();
        boolean isBehindProxy = method.produced()
                || method.owner()
                        .booleanValue("io.micronaut.aop.Around", "proxyTarget")
                        .orElse(false);
        Set<String> callers = isBehindProxy ? SelfCalls.callersOf(method, context) : Set.of();
        if (!callers.isEmpty()) {
            problems.of(RuleId.SELF_INVOCATION, operation)
                    .say("called by " + String.join(", ", callers)
                            + " of the same class. The bean is reached through a proxy of another object, so calls from"
                            + " inside pass it by and run unprotected. Move the method to a bean of its own.");
        }
    }

    /** Finds a class's calls of its own method in javac's trees, by name and number of arguments. */
    private static final class SelfCalls extends TreeScanner<@Nullable Void, String> {

        private final String method;
        private final int arguments;
        private final Set<String> callers = new TreeSet<>();

        private SelfCalls(OperationMethod method) {
            this.method = method.method().getName();
            this.arguments = method.parameters().size();
        }

        /** Returns the names of the owner's methods that call the operation. */
        static Set<String> callersOf(OperationMethod method, VisitorContext context) {
            SelfCalls calls = new SelfCalls(method);
            ClassTree body = CompilerModel.tree(method.owner(), context);
            if (body != null) {
                body.getMembers().forEach(member -> calls.scan(member, ""));
            }
            return calls.callers;
        }

        @Override
        public @Nullable Void visitClass(ClassTree nested, String caller) {
            return null; // its "this" is another object
        }

        @Override
        public @Nullable Void visitMethod(MethodTree declared, String caller) {
            return super.visitMethod(declared, declared.getName().toString());
        }

        @Override
        public @Nullable Void visitMethodInvocation(MethodInvocationTree call, String caller) {
            if (call.getArguments().size() == arguments && isOwn(call.getMethodSelect())) {
                callers.add(caller);
            }
            return super.visitMethodInvocation(call, caller);
        }

        @Override
        public @Nullable Void visitMemberReference(MemberReferenceTree reference, String caller) {
            boolean isOwn = reference.getName().contentEquals(method) && isThis(reference.getQualifierExpression());
            if (isOwn) {
                callers.add(caller); // possibly an overload: javac has not resolved it yet
            }
            return super.visitMemberReference(reference, caller);
        }

        private static boolean isThis(ExpressionTree receiver) {
            return receiver instanceof IdentifierTree name && name.getName().contentEquals("this");
        }

        private boolean isOwn(ExpressionTree called) {
            return called instanceof IdentifierTree name
                    ? name.getName().contentEquals(method)
                    : called instanceof MemberSelectTree member
                            && member.getIdentifier().contentEquals(method)
                            && isThis(member.getExpression());
        }
    }
}
