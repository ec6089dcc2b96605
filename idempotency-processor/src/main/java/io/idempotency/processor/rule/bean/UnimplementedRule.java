package io.idempotency.processor.rule.bean;

import io.idempotency.processor.plan.Operation;
import io.idempotency.processor.rule.OperationRule;
import io.idempotency.processor.rule.Problems;
import io.idempotency.processor.rule.RuleId;
import io.idempotency.processor.rule.SeenClasses;
import io.micronaut.inject.ast.ClassElement;
import io.micronaut.inject.ast.MethodElement;
import java.util.ArrayList;
import java.util.List;

/** An annotated method of an interface or an abstract class is an operation of the beans that inherit it, and of nothing else. */
public final class UnimplementedRule implements OperationRule {

    private final boolean library;
    private final List<ClassElement> owners = new ArrayList<>();

    /** Libraries are implemented elsewhere. */
    public UnimplementedRule(boolean library) {
        this.library = library;
    }

    @Override
    public void check(Operation operation, Problems problems) {
        owners.add(operation.method().owner());
    }

    @Override
    public void finish(SeenClasses compilation, Problems problems) {
        if (!library) {
            compilation.contracts().stream()
                    .filter(method -> owners.stream().noneMatch(owner -> inherits(owner, method)))
                    .forEach(method -> report(method, problems));
        }
    }

    private static boolean inherits(ClassElement owner, MethodElement method) {
        return owner.isAssignable(method.getDeclaringType());
    }

    private static void report(MethodElement method, Problems problems) {
        String type = method.getDeclaringType().getSimpleName().replace('$', '.');
        problems.report(
                RuleId.NO_IMPLEMENTATION,
                type + "." + method.getName() + ": no bean of this module inherits it, and the annotation protects the"
                        + " calls of beans only. Unless another module has one, make a class that "
                        + (method.getDeclaringType().isInterface() ? "implements " : "extends ") + type
                        + " a bean, or annotate the methods that are called.",
                method);
    }
}
