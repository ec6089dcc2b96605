package io.idempotency.processor.source;

import io.idempotency.processor.model.BoundType;
import io.idempotency.processor.plan.Literals;
import io.idempotency.processor.plan.ResultPlan;

/** A result type as a Micronaut {@code Argument} with all its type arguments. */
final class ArgumentSource {

    private ArgumentSource() {}

    static String of(ResultPlan result) {
        return result.type() == null ? "Argument.VOID" : argument(result.type(), "");
    }

    private static String argument(BoundType type, String name) {
        StringBuilder argument =
                new StringBuilder("type(").append(type.erasure()).append(".class");
        if (!name.isEmpty()) {
            argument.append(", ").append(Literals.text(name));
        }
        type.arguments().forEach((variable, bound) -> argument.append(", ").append(argument(bound, variable)));
        return argument.append(')').toString();
    }
}
