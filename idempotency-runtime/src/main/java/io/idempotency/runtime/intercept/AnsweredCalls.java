package io.idempotency.runtime.intercept;

import io.idempotency.runtime.Effect;
import io.idempotency.runtime.Outcome;
import io.idempotency.runtime.call.FailureWithAnswer;
import io.idempotency.runtime.call.Operation;
import io.micronaut.inject.ExecutableMethod;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Knows the calls whose callers are answered by a component in front, as a server answers for the method of a route. What
 * that component answers is the outcome.
 */
public interface AnsweredCalls {

    /**
     * Looks at a call before its body.
     *
     * @param retried whether advice around it calls it again after a failure, before there is an answer
     * @return null when no component in front answers this call
     */
    @Nullable
    Answered of(ExecutableMethod<?, ?> method, Operation operation, boolean retried);

    /**
     * The application starts. What is configured for an answered operation that does not exist stops it here.
     *
     * @throws io.micronaut.context.exceptions.ConfigurationException when a name is wrong
     */
    void start(Map<String, List<ExecutableMethod<?, ?>>> operations);

    /** One such call. Thread-safe. */
    interface Answered {

        /**
         * What a result says about the effect.
         *
         * @return null for a result like any other
         */
        @Nullable
        Returned returned(@Nullable Object value);

        /**
         * Waits for the answer to a failure, which the caller gets meanwhile. The claim is held until then.
         *
         * @return completes in any case, in the end without an answer; null when no answer is waited for
         */
        @Nullable
        CompletionStage<FailureWithAnswer> thrown(Throwable failure);

        /**
         * The call is over.
         *
         * @param outcome what it came to; null after a defect of this library
         */
        void ended(@Nullable Outcome outcome);
    }

    /**
     * A result that is an error.
     *
     * @param effect what its status says
     * @param failed how it is recorded where its outcome is unknown
     * @param serverError whether the server's own work failed, so that its transaction is undone
     */
    record Returned(Effect effect, FailureWithAnswer failed, boolean serverError) {}
}
