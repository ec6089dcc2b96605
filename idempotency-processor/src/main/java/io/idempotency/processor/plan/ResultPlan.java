package io.idempotency.processor.plan;

import io.idempotency.processor.model.BoundType;
import io.idempotency.processor.model.OperationMethod;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The type of an operation's outcome.
 *
 * @param type the recorded value's type; null for {@code void} and its asynchronous forms
 * @param carrier the asynchronous type that the method returns; null for a plain value
 */
public record ResultPlan(@Nullable BoundType type, @Nullable BoundType carrier) {

    /** Types, without their subclasses, in which the interceptor can return a replayed value. */
    public static final List<String> CARRIERS = List.of(
            "java.util.concurrent.CompletionStage",
            "java.util.concurrent.CompletableFuture",
            "org.reactivestreams.Publisher",
            "reactor.core.publisher.Mono",
            "io.reactivex.Single",
            "io.reactivex.Maybe",
            "io.reactivex.Completable",
            "io.reactivex.rxjava3.core.Single",
            "io.reactivex.rxjava3.core.Maybe",
            "io.reactivex.rxjava3.core.Completable");

    private static final Set<String> NOTHING = Set.of(
            "void",
            "java.lang.Void",
            "kotlin.Unit",
            "io.reactivex.Completable",
            "io.reactivex.rxjava3.core.Completable");

    static ResultPlan of(OperationMethod method) {
        BoundType type = method.returnType();
        Optional<BoundType> carried = carried(type);
        BoundType value = carried.orElse(type);
        boolean isNothing = value.component() == null && NOTHING.contains(value.name());
        return new ResultPlan(isNothing ? null : value, carried.isPresent() ? type : null);
    }

    /** Returns the type of an asynchronous type's value; empty for any other type. */
    public static Optional<BoundType> carried(BoundType type) {
        return CARRIERS.stream()
                .flatMap(carrier -> type.as(carrier).stream())
                .findFirst()
                .map(carrier -> carrier.argument(0).orElse(type));
    }
}
