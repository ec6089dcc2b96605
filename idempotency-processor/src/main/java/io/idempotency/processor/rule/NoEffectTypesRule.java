package io.idempotency.processor.rule;

import io.idempotency.processor.model.Accessors;
import io.idempotency.processor.plan.Operation;
import io.micronaut.inject.ast.ClassElement;
import java.util.Optional;
import java.util.function.Function;

/** The generated definition names the exceptions that had no effect, so it must see them. */
public final class NoEffectTypesRule implements OperationRule {

    private final Function<String, Optional<ClassElement>> classes;

    /** Looks classes up in a compilation. */
    public NoEffectTypesRule(Function<String, Optional<ClassElement>> classes) {
        this.classes = classes;
    }

    @Override
    public void check(Operation operation, Problems problems) {
        String fromPackage = operation.method().owner().getPackageName();
        operation.method().classNames("noEffectFor").stream()
                .flatMap(name -> classes.apply(name).stream())
                .filter(type -> !Accessors.isVisible(type, fromPackage))
                .forEach(type -> problems.error(
                        operation,
                        "noEffectFor names " + type.getCanonicalName() + ", which code in package " + fromPackage
                                + " cannot see, and that is where its definition is generated. Make it package-private"
                                + " there or public."));
    }
}
