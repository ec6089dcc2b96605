package io.idempotency.runtime.intercept;

import io.idempotency.runtime.Outcome;
import io.idempotency.runtime.call.FailureWithAnswer;
import io.idempotency.runtime.call.Operation;
import io.micronaut.inject.ExecutableMethod;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Recognizes calls whose callers are answered by a component in front, for instance by a server for the method of a
 * route. That component's answer is the outcome.
 */
public interface AnsweredCalls {

    /**
     * Recognizes a call before its body; null when no component in front answers it.
     *
     * @param retried whether advice around the method calls it again after a failure, before there is an answer
     */
    @Nullable
    Answered of(ExecutableMethod<?, ?> method, Operation operation, boolean retried);

    /**
     * Checks the configuration of answered operations while the application starts.
     *
     * @throws io.micronaut.context.exceptions.ConfigurationException when it names an operation that is not answered
     */
    void start(Map<String, List<ExecutableMethod<?, ?>>> operations);

    /** A call that a component in front answers. Thread-safe. */
    interface Answered {

        /** Is told that the body begins. */
        void begins();

        /** Returns what a result says about the effect; null for an ordinary result. */
        @Nullable
        Returned returned(@Nullable Object value);

        /** Returns a result once it is complete, because what it passes on from elsewhere may still arrive. */
        CompletionStage<@Nullable Object> whole(@Nullable Object value);

        /**
         * Waits for the answer to a failure. The caller gets the failure meanwhile, and the claim is held.
         *
         * @return a stage that always completes, in the end without an answer; one that is complete awaits none
         */
        CompletionStage<FailureWithAnswer> thrown(Throwable failure);

        /** Ends the call with its outcome; null after a defect of this library. */
        void ended(@Nullable Outcome outcome);
    }

    /**
     * A result that is an error.
     *
     * @param failed what its status says about the effect, and the failure to record where that is unknown
     * @param serverError whether the server's own work failed, so that its transaction is rolled back
     */
    record Returned(FailureWithAnswer failed, boolean serverError) {}
}
