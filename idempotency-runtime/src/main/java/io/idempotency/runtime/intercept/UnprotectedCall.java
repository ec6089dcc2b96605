package io.idempotency.runtime.intercept;

import io.idempotency.runtime.call.UnprotectedContext;
import io.micronaut.core.propagation.PropagatedContext;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A call that nothing protects: it has no key, or the library is switched off. Its body gets a context all the same, and
 * never that of an operation around it, whose derived keys would stand for two calls.
 *
 * @param context makes the context of one run of the body
 */
record UnprotectedCall(Supplier<UnprotectedContext> context) implements Call {

    @Override
    public @Nullable Object execute(Body body) throws Exception {
        try {
            return Call.within(CallContext.ofThisThread().plus(context.get()), body)
                    .toCompletableFuture()
                    .join(); // complete already
        } catch (Throwable e) {
            throw UnprotectedCall.<Exception>asIs(e);
        }
    }

    @Override
    public CompletionStage<@Nullable Object> stage(CallContext caller, @Nullable CompletionStage<?> gone, Body body) {
        PropagatedContext around = caller.around();
        CompletableFuture<@Nullable Object> answer = new CompletableFuture<>();
        try {
            CompletionStage<? extends @Nullable Object> started = Call.within(around.plus(context.get()), body);
            Objects.requireNonNull(started, "null was returned, not a stage").whenComplete((value, failure) -> {
                try (PropagatedContext.Scope ignored = around.propagate()) {
                    if (failure == null) {
                        answer.complete(value);
                    } else {
                        answer.completeExceptionally(failure);
                    }
                }
            });
        } catch (Throwable e) { // the body's own
            answer.completeExceptionally(e);
        }
        return answer;
    }

    @SuppressWarnings("unchecked")
    private static <E extends Throwable> E asIs(Throwable failure) throws E {
        throw (E) failure;
    }
}
