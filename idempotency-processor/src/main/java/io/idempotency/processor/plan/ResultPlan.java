package io.idempotency.processor.plan;

import io.idempotency.processor.model.BoundType;
import io.idempotency.processor.model.OperationMethod;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What an operation's outcome is.
 *
 * @param type the recorded value's type; null where there is none ({@code void} and its asynchronous forms)
 * @param carrier the asynchronous type that the method returns; null for a plain value
 */
public record ResultPlan(@Nullable BoundType type, @Nullable BoundType carrier) {

    private static final Set<String> NOTHING = Set.of("void", "java.lang.Void", "kotlin.Unit");

    private static final Set<String> COMPLETABLES =
            Set.of("io.reactivex.Completable", "io.reactivex.rxjava3.core.Completable");

    private static final List<String> CARRIERS = List.of(
            "java.util.concurrent.CompletionStage",
            "org.reactivestreams.Publisher",
            "io.reactivex.Single",
            "io.reactivex.Maybe",
            "io.reactivex.rxjava3.core.Single",
            "io.reactivex.rxjava3.core.Maybe");

    /** Plans the result of a method. */
    public static ResultPlan of(OperationMethod method) {
        BoundType type = method.returnType();
        if (COMPLETABLES.contains(type.name())) {
            return new ResultPlan(null, type);
        }
        return carried(type)
                .map(value -> new ResultPlan(value(value), type))
                .orElseGet(() -> new ResultPlan(value(type), null));
    }

    /** What an asynchronous type carries; empty for any other type. */
    public static Optional<BoundType> carried(BoundType type) {
        // one walk: most of these are not on the class path, and the compiler looks for each of them everywhere
        return !type.isAssignableToAny(CARRIERS)
                ? Optional.empty()
                : CARRIERS.stream()
                        .filter(type::isAssignable)
                        .findFirst()
                        .map(carrier -> type.as(carrier)
                                .flatMap(each -> each.argument(0))
                                .orElse(type));
    }

    private static @Nullable BoundType value(BoundType type) {
        return type.component() == null && NOTHING.contains(type.name()) ? null : type;
    }

    /** Whether the value arrives later than the method returns. */
    public boolean isAsynchronous() {
        return carrier != null;
    }
}
