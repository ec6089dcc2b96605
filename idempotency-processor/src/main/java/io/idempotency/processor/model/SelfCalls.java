package io.idempotency.processor.model;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.MemberReferenceTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.util.TreeScanner;
import io.micronaut.inject.visitor.VisitorContext;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Calls that a class makes to a method of its own. Micronaut's model has no method bodies, so javac's trees are asked,
 * before their names are resolved: a call is known by the name and the number of its arguments. With another compiler
 * or language nothing is found.
 */
public final class SelfCalls extends TreeScanner<@Nullable Void, String> {

    private final String method;
    private final int arguments;
    private final Set<String> callers = new TreeSet<>();

    private SelfCalls(OperationMethod method) {
        this.method = method.method().getName();
        this.arguments = method.parameters().size();
    }

    /** The names of the owner's methods that call an operation of theirs. */
    public static Set<String> callersOf(OperationMethod method, VisitorContext context) {
        SelfCalls calls = new SelfCalls(method);
        ClassTree body = SourceTrees.of(method.owner(), context);
        if (body != null) {
            body.getMembers().forEach(member -> calls.scan(member, ""));
        }
        return calls.callers;
    }

    @Override
    public @Nullable Void visitClass(ClassTree nested, String caller) {
        return null; // its "this" is another one
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
            callers.add(caller); // an overload of it may be meant: what the reference is for is not known yet
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
