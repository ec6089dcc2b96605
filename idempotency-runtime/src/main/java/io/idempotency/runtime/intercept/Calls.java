package io.idempotency.runtime.intercept;

import io.idempotency.IdempotencyContext;
import io.idempotency.runtime.Outcome;
import io.idempotency.runtime.OutcomeListener;
import io.idempotency.runtime.call.Invocation;
import io.idempotency.runtime.call.RunningCall;
import io.idempotency.runtime.call.UnprotectedContext;
import io.idempotency.runtime.config.IdempotencyConfiguration;
import io.idempotency.runtime.engine.IdempotencyEngine;
import io.idempotency.runtime.engine.Listeners;
import io.micronaut.core.propagation.PropagatedContext;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Adapts calls of annotated methods and calls by hand to the engine, and their outcomes back to their callers. */
@Singleton
final class Calls {

    private final IdempotencyEngine engine;
    private final EventLoops loops;
    private final List<OutcomeListener> listeners;
    private final boolean enabled;

    Calls(
            IdempotencyEngine engine,
            EventLoops loops,
            List<OutcomeListener> listeners,
            IdempotencyConfiguration configuration) {
        this.engine = engine;
        this.loops = loops;
        this.listeners = List.copyOf(listeners);
        this.enabled = configuration.isEnabled();
    }

    /** The method or function that a call protects. */
    @FunctionalInterface
    interface Body {

        /** Runs the body in the given context, which is current on this thread already. */
        @SuppressWarnings("java:S112") // a method body may throw anything
        CompletionStage<? extends @Nullable Object> run(PropagatedContext with) throws Throwable;
    }

    /** A call of an operation, around its body. Each subscription to a reactive method is a call of its own. */
    interface Call {

        /** Executes the call on the caller's thread. */
        @Nullable
        Object execute(Body body) throws Exception;

        /**
         * Executes the call without blocking this thread. Code that follows the stage runs in the caller's context.
         *
         * @param caller the context around the body and the code that follows
         * @param gone completes when the answer is no longer wanted: a call that still waits claims nothing; null for
         *        never
         */
        CompletionStage<@Nullable Object> stage(CallContext caller, @Nullable CompletionStage<?> gone, Body body);
    }

    /** Tells whether calls are protected; false where every call runs unprotected. */
    boolean enabled() {
        return enabled;
    }

    /** Returns a call that has a key; {@code answered} is the component in front that answers it, null for none. */
    Call withKey(
            BiFunction<PropagatedContext, Invocation.Body, Invocation> invocation,
            AnsweredCalls.@Nullable Answered answered) {
        return new Protected(invocation, answered);
    }

    /** Returns a call without a key, or of a library that is switched off; {@code context} makes that of one run. */
    Call withoutKey(String operation, Supplier<UnprotectedContext> context) {
        List<OutcomeListener> told = enabled ? listeners : List.of();
        return new Unprotected(
                context, () -> Listeners.tell(told, operation, listener -> listener.onUnprotected(operation)));
    }

    /** Throws any failure unchecked, because the first caller gets the body's own exception. */
    @SuppressWarnings("unchecked")
    private static <E extends Throwable> RuntimeException asIs(Throwable failure) throws E {
        throw (E) failure;
    }

    private static void complete(
            CompletableFuture<@Nullable Object> future, @Nullable Object value, @Nullable Throwable failure) {
        if (failure == null) {
            future.complete(value);
        } else {
            future.completeExceptionally(failure);
        }
    }

    /** Returns the outcome's value for the method's caller, or throws its failure or refusal. */
    private static @Nullable Object answer(Outcome outcome) {
        if (outcome instanceof Outcome.Executed executed) {
            return executed.value();
        } else if (outcome instanceof Outcome.Replayed replayed) {
            return replayed.value();
        } else if (outcome instanceof Outcome.Threw threw) {
            throw Calls.<RuntimeException>asIs(threw.failure());
        }
        throw ((Outcome.Refused) outcome).reason();
    }

    private final class Protected implements Call {
        private final BiFunction<PropagatedContext, Invocation.Body, Invocation> invocation;
        private final AnsweredCalls.@Nullable Answered answered;

        Protected(
                BiFunction<PropagatedContext, Invocation.Body, Invocation> invocation,
                AnsweredCalls.@Nullable Answered answered) {
            this.invocation = invocation;
            this.answered = answered;
        }

        @Override
        public @Nullable Object execute(Body body) {
            Invocation call = invocation.apply(CallContext.ofThisThread(), new ClaimedBody(null, body));
            loops.watch(call.operation());
            long start = System.nanoTime();
            return answered == null
                    ? answer(told(call, start, engine.execute(call)))
                    : execute(call, start, new AnsweredBody(answered, call, thrown -> {}, true));
        }

        /** Throws the body's exception before it is recorded, because the caller turns it into the answer. */
        private @Nullable Object execute(Invocation call, long start, AnsweredBody body) {
            if (call.operation().policy().transactional()) {
                return answer(body.ended(told(call, start, engine.execute(body.call()))));
            }
            PropagatedContext around = PropagatedContext.getOrEmpty();
            CompletableFuture<Outcome> outcome = engine.begin(body.call()).toCompletableFuture();
            Throwable thrown = body.thrown();
            if (thrown == null || outcome.isDone()) {
                return answer(body.ended(told(call, start, outcome.join())));
            }
            outcome.whenComplete((come, defect) -> {
                try (PropagatedContext.Scope ignored = around.propagate()) {
                    if (come == null) {
                        body.broken();
                    } else {
                        body.ended(told(call, start, come));
                    }
                }
            });
            throw Calls.<RuntimeException>asIs(thrown);
        }

        private Outcome told(Invocation call, long startNanos, Outcome outcome) {
            Listeners.tell(call, startNanos, outcome, listeners);
            return outcome;
        }

        @Override
        public CompletionStage<@Nullable Object> stage(
                CallContext caller, @Nullable CompletionStage<?> gone, Body body) {
            PropagatedContext around = caller.around();
            CompletableFuture<@Nullable Object> answer = new CompletableFuture<>();
            Invocation call = invocation.apply(around, new ClaimedBody(around, body));
            long start = System.nanoTime();
            AnsweredBody own = answered == null
                    ? null
                    : new AnsweredBody(
                            answered,
                            call,
                            thrown -> {
                                try (PropagatedContext.Scope ignored = around.propagate()) {
                                    answer.completeExceptionally(thrown);
                                }
                            },
                            false);
            engine.executeAsync(own == null ? call : own.call(), gone).whenComplete((outcome, defect) -> {
                try (PropagatedContext.Scope ignored = around.propagate()) {
                    if (defect != null) {
                        answer.completeExceptionally(defect);
                        if (own != null) {
                            own.broken();
                        }
                        return;
                    }
                    try {
                        Outcome told = told(call, start, outcome);
                        answer.complete(answer(own == null ? told : own.ended(told)));
                    } catch (Throwable e) { // the body's exception
                        answer.completeExceptionally(e);
                    }
                }
            });
            return answer;
        }
    }

    /**
     * Runs a body in the context of its claim, and throws the exception that fits its own key.
     *
     * @param around the context around the body; null for that of the thread on which the body starts, because the body
     *        must see a transaction that the engine opened there
     */
    record ClaimedBody(@Nullable PropagatedContext around, Body body) implements Invocation.Body {

        @Override
        public CompletionStage<? extends @Nullable Object> run(IdempotencyContext claim) throws Throwable {
            PropagatedContext with = (around == null ? CallContext.ofThisThread() : around).plus(claim);
            CompletionStage<? extends @Nullable Object> stage;
            try (PropagatedContext.Scope ignored = with.propagate()) {
                stage = body.run(with);
            } catch (Throwable e) { // a method body may throw anything
                throw answerFor(claim, e);
            }
            if (stage == null || hasReturned(stage)) {
                return stage;
            }
            CompletableFuture<@Nullable Object> told = new CompletableFuture<>();
            stage.whenComplete(
                    (value, failure) -> complete(told, value, failure == null ? null : answerFor(claim, failure)));
            return told;
        }

        /** Tells whether a stage has its value. A minimal stage is a future, too, and only its copy can be asked. */
        static boolean hasReturned(CompletionStage<?> stage) {
            return stage instanceof CompletableFuture<?> future
                    && future.toCompletableFuture().isDone()
                    && !future.toCompletableFuture().isCompletedExceptionally();
        }

        private static Throwable answerFor(IdempotencyContext claim, Throwable thrown) {
            return claim instanceof RunningCall running ? running.answerFor(thrown) : thrown;
        }
    }

    /**
     * A call that runs unprotected: it has no key, or the library is switched off. The body still gets a context of its
     * own, and never that of an enclosing operation, whose derived keys would stand for two calls.
     *
     * @param begins reports each run, in its context
     */
    private record Unprotected(Supplier<UnprotectedContext> context, Runnable begins) implements Call {

        @Override
        public @Nullable Object execute(Body body) {
            try {
                return started(CallContext.ofThisThread(), body)
                        .toCompletableFuture()
                        .join(); // already complete
            } catch (Throwable e) {
                throw Calls.<RuntimeException>asIs(e);
            }
        }

        @Override
        public CompletionStage<@Nullable Object> stage(
                CallContext caller, @Nullable CompletionStage<?> gone, Body body) {
            PropagatedContext around = caller.around();
            CompletableFuture<@Nullable Object> answer = new CompletableFuture<>();
            try {
                started(around, body).whenComplete((value, failure) -> {
                    try (PropagatedContext.Scope ignored = around.propagate()) {
                        complete(answer, value, failure);
                    }
                });
            } catch (Throwable e) { // the body's exception
                answer.completeExceptionally(e);
            }
            return answer;
        }

        private CompletionStage<? extends @Nullable Object> started(PropagatedContext around, Body body)
                throws Throwable {
            PropagatedContext with = around.plus(context.get());
            try (PropagatedContext.Scope ignored = with.propagate()) {
                begins.run();
                return Objects.requireNonNull(body.run(with), "null was returned, not a stage");
            }
        }
    }
}
