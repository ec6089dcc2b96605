package io.idempotency.processor.rule;

import io.idempotency.processor.model.BoundType;
import io.idempotency.processor.model.RuleId;
import io.idempotency.processor.plan.Operation;
import io.micronaut.inject.ast.ClassElement;
import io.micronaut.inject.ast.MethodElement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * An operation's class is a bean, since advice that a processor adds does not make it one: its method would silently run
 * unprotected. An annotated method of an interface or an abstract class is an operation of the beans that inherit it only.
 */
final class BeanRule implements OperationRule {

    private final boolean library;
    private final List<Operation> homeless = new ArrayList<>();
    private final Set<String> produced = new HashSet<>();
    private final List<ClassElement> owners = new ArrayList<>();

    /** What a library declares may be implemented elsewhere. */
    BeanRule(boolean library) {
        this.library = library;
    }

    @Override
    public void check(Operation operation, Problems problems) {
        ClassElement owner = operation.method().owner();
        owners.add(owner);
        if (operation.method().produced()) {
            produced.add(owner.getName());
        } else if (!SeenClasses.isBean(owner)) {
            homeless.add(operation);
        }
    }

    /** Only now have the factories of the compilation been seen. */
    @Override
    public void finish(SeenClasses compilation, Problems problems) {
        for (Operation operation : homeless) {
            ClassElement owner = operation.method().owner();
            if (!produced.contains(owner.getName())) {
                problems.of(RuleId.NO_BEAN, operation)
                        .say(owner.getSimpleName()
                                + " has no scope, so it is no bean and its method would run unprotected. Add one to"
                                + " the class, for instance @Singleton, make it by a @Factory of the same module, or"
                                + " declare it abstract if only its subclasses are beans.");
            }
        }
        if (!library) {
            compilation.contracts().stream()
                    .filter(method -> owners.stream().noneMatch(owner -> owner.isAssignable(method.getDeclaringType())))
                    .forEach(method -> notInherited(method, problems));
        }
    }

    private static void notInherited(MethodElement method, Problems problems) {
        String type = BoundType.simpleName(method.getDeclaringType());
        problems.of(RuleId.NO_IMPLEMENTATION, method)
                .say(type + "." + method.getName() + ": no bean of this module inherits it, and the annotation protects"
                        + " the calls of beans only. Unless another module has one, make a class that "
                        + (method.getDeclaringType().isInterface() ? "implements " : "extends ") + type
                        + " a bean, or annotate the methods that are called.");
    }
}
