package io.idempotency.http.server.route;

import io.idempotency.runtime.Effect;
import io.idempotency.runtime.FailureClassifier;
import jakarta.inject.Singleton;
import java.util.Optional;

/** An undecided answer leaves the outcome unknown. */
@Singleton
final class UndecidedAnswers implements FailureClassifier {

    @Override
    public Optional<Effect> effect(Throwable failure) {
        return failure instanceof UndecidedAnswerException ? Optional.of(Effect.UNKNOWN) : Optional.empty();
    }
}
