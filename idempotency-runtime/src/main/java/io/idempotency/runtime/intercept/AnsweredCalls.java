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
 * Knows the calls for which somebody in front answers somebody else, as a server does for the method of a route. What that
 * one is answered is the outcome.
 */
public interface AnsweredCalls {

    /**
     * Looks at a call before its body.
     *
     * @param method what is called
     * @param operation the operation that it is
     * @param retried whether advice around it calls it again after a failure, before anybody answers
     * @return null when this call is not answered by anybody in front
     */
    @Nullable
    Answered of(ExecutableMethod<?, ?> method, Operation operation, boolean retried);

    /**
     * The application starts. What is configured for an answered operation that does not exist stops it here.
     *
     * @param operations the annotated methods by the names of their operations
     * @throws io.micronaut.context.exceptions.ConfigurationException when a name is wrong
     */
    void start(Map<String, List<ExecutableMethod<?, ?>>> operations);

    /** One such call. Thread-safe. */
    interface Answered {

        /**
         * What a result says about the effect.
         *
         * @param value what the body returned
         * @return null for a result like any other
         */
        @Nullable
        Returned returned(@Nullable Object value);

        /**
         * Waits for the answer to a failure, which the caller gets meanwhile. The claim is held until then.
         *
         * @param failure what the body threw
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
