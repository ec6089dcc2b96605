package io.idempotency.runtime.intercept;

import io.micronaut.core.propagation.PropagatedContext;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** One call of an operation, around its body. Every subscription to a reactive method is a call of its own. */
interface Call {

    /** What the call is about. */
    @FunctionalInterface
    interface Body {
        /** Runs in the context, which is current on its thread already. */
        @SuppressWarnings("java:S112") // a method body may throw anything
        CompletionStage<? extends @Nullable Object> run(PropagatedContext with) throws Throwable;
    }

    /** On the caller's thread. */
    @Nullable
    Object execute(Body body) throws Exception;

    /**
     * Without blocking this thread. What follows the stage runs in the caller's context, whichever thread completes it.
     *
     * @param caller surrounds the body and what follows
     * @param gone completes when the answer is not wanted any more: a call that still waits then claims nothing; null for
     *     never
     * @param body starts it
     */
    CompletionStage<@Nullable Object> stage(CallContext caller, @Nullable CompletionStage<?> gone, Body body);

    /** Starts a body. */
    static CompletionStage<? extends @Nullable Object> within(PropagatedContext with, Body body) throws Throwable {
        try (PropagatedContext.Scope ignored = with.propagate()) {
            return body.run(with);
        }
    }
}
