package io.idempotency.runtime.engine;

import io.idempotency.IdempotencyException;
import io.idempotency.IdempotencyException.Retry;
import io.idempotency.OnFailure;
import io.idempotency.PreviousAttemptFailedException;
import io.idempotency.runtime.Effect;
import io.idempotency.runtime.FailureClassifier;
import io.idempotency.runtime.FailureSanitizer;
import io.idempotency.runtime.answer.Refusals;
import io.idempotency.runtime.call.FailureWithAnswer;
import io.idempotency.runtime.failure.KnownFailures;
import io.idempotency.runtime.failure.RedactedThrowable;
import io.idempotency.runtime.outcome.RecordedFailure;
import io.idempotency.runtime.store.StoredFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Decides what an exception of a claim's body says about its effect, and what the record keeps of the exception. */
record Failures(ActiveClaim claim) {

    private static final Logger LOG = LoggerFactory.getLogger(Failures.class);
    private static final int MAX_TYPE = 250;
    private static final int MAX_MESSAGE = 2000;
    private static final int MAX_CODE = 100;
    private static final int MAX_REASON = 500;

    Effect effect(Throwable thrown) {
        return effect(thrown, Effect.FINAL); // that one call sent nothing says nothing about what the body did before
    }

    /**
     * Classifies an exception by the outermost known one among the exception and its causes.
     *
     * @param unsent the effect of one of which only that it sent nothing is known
     */
    Effect effect(Throwable thrown, Effect unsent) {
        if (claim.declaredNoEffect()) {
            return Effect.NONE;
        }
        try {
            Throwable failure = BlockingCalls.unwrapped(thrown);
            if (saysComeAgain(failure)
                    && claim.policy().onFailure() == OnFailure.RELEASE
                    && declared(failure) == null) {
                return Effect.NONE; // an operation that remembers no failure leaves none in doubt
            }
            Effect effect = classified(failure, unsent);
            // the answer made for an exception decides only where nothing else is known of it
            return effect == Effect.FINAL && declared(failure) == null && !isKnown(failure)
                    ? answered(thrown)
                            .map(FailureWithAnswer::effect)
                            .filter(answer -> answer != Effect.NONE
                                    || KnownFailures.causes(failure).allMatch(it -> known(it) == null))
                            .orElse(effect)
                    : effect;
        } catch (Throwable e) { // exceptions and classifiers are foreign code and may throw anything
            LOG.warn(
                    "{} could not be classified, so the outcome is unknown",
                    thrown.getClass(),
                    RedactedThrowable.of(e));
            return Effect.UNKNOWN;
        }
    }

    /** Returns the answer that was made for an exception, below any {@link CompletionException}. */
    static Optional<FailureWithAnswer> answered(Throwable thrown) {
        Throwable inner = thrown;
        while (inner instanceof CompletionException && inner.getCause() != null) {
            inner = inner.getCause();
        }
        return inner instanceof FailureWithAnswer answered ? Optional.of(answered) : Optional.empty();
    }

    /** Returns the body's own exception, without its answer. */
    static Throwable ofBody(Throwable thrown) {
        return answered(thrown).map(FailureWithAnswer::failure).orElse(thrown);
    }

    private Effect classified(Throwable failure, Effect unsent) {
        boolean itself = true;
        List<Throwable> suppressed = new ArrayList<>();
        for (Throwable cause : (Iterable<Throwable>) KnownFailures.causes(failure)::iterator) {
            suppressed.addAll(List.of(cause.getSuppressed()));
            Effect effect = declared(cause);
            if (effect != null && effect != Effect.NONE) {
                return effect;
            }
            KnownFailures.Row known = known(cause);
            Effect hidden = known != null && known.unsent() ? ofEarlier(suppressed) : Effect.NONE;
            if (hidden != Effect.NONE) {
                return hidden;
            } else if (effect != null && itself) {
                return effect; // a wrapped one proves nothing: its wrapper may have come after an effect
            } else if (known != null) {
                return known.unsent() && itself ? unsent : known.effect();
            }
            itself = itself && KnownFailures.isWrapping(cause);
        }
        return Effect.FINAL;
    }

    /** Returns the worst effect of the attempts before a last one that sent nothing; retries may suppress theirs. */
    private Effect ofEarlier(List<Throwable> suppressed) {
        boolean lost = suppressed.stream()
                .anyMatch(earlier -> KnownFailures.causes(earlier)
                        .flatMap(cause -> Optional.ofNullable(declared(cause))
                                .or(() -> Optional.ofNullable(known(cause)).map(KnownFailures.Row::effect))
                                .stream())
                        .findFirst()
                        .filter(Effect.UNKNOWN::equals)
                        .isPresent());
        return lost ? Effect.UNKNOWN : claim.ofRetried();
    }

    /** Tells whether anything is known of an exception but what another system refused. */
    private boolean isKnown(Throwable failure) {
        return KnownFailures.causes(failure)
                .anyMatch(cause -> !(cause instanceof IdempotencyException) && known(cause) != null);
    }

    /** Looks up the nearest declared type. A declared supertype does not cover an exception known as a cut-off. */
    private @Nullable Effect declared(Throwable failure) {
        if (failure instanceof KnownFailures.CutOff) {
            return Effect.UNKNOWN;
        }
        for (Class<?> type = failure.getClass(); type != null; type = type.getSuperclass()) {
            Effect effect = claim.policy().declaredEffects().get(type);
            if (effect != null || KnownFailures.isCutOff(type)) {
                return effect;
            }
        }
        return null;
    }

    boolean releases(Effect effect) {
        return effect == Effect.NONE || effect == Effect.FINAL && claim.policy().onFailure() == OnFailure.RELEASE;
    }

    private KnownFailures.@Nullable Row known(Throwable cause) {
        for (FailureClassifier classifier : claim.services().classifiers()) {
            Optional<Effect> effect = classifier.effect(cause);
            if (effect.isPresent()) {
                return new KnownFailures.Row(effect.get(), false);
            }
        }
        if (cause instanceof IdempotencyException nested
                && (nested.executed() == IdempotencyException.Executed.UNKNOWN || saysComeAgain(cause))) {
            return new KnownFailures.Row(Effect.UNKNOWN, false); // it may or may not have had its effect
        }
        return KnownFailures.of(cause);
    }

    StoredFailure describe(Throwable thrown) {
        Throwable failure = BlockingCalls.unwrapped(thrown);
        FailureSanitizer sanitizer = claim.services().sanitizer();
        String type = text(failure, MAX_TYPE, sanitizer::type);
        return new StoredFailure(
                type == null ? RecordedFailure.shortened(failure.getClass().getName(), MAX_TYPE) : type,
                text(failure, MAX_MESSAGE, sanitizer::message),
                text(failure, MAX_CODE, this::code));
    }

    private @Nullable String code(Throwable failure) {
        return claim.services().classifiers().stream()
                .map(classifier -> classifier.code(failure))
                .flatMap(Optional::stream)
                .findFirst()
                .orElse(null);
    }

    /**
     * Describes to operators why an outcome is unknown. The text is stored unsealed, so it has the exception's message
     * only if the sanitiser keeps it and the operation does not seal its data.
     */
    String reason(String what, Throwable failure) {
        StoredFailure described = describe(failure);
        boolean kept =
                described.message() != null && !claim.call().operation().seal().hides();
        return reason(what + " with " + described.type() + (kept ? ": " + described.message() : ""));
    }

    static String reason(String what) {
        return RecordedFailure.shortened(what, MAX_REASON);
    }

    /** Returns an exception's text; its class name when the exception's own methods throw. */
    static String text(Throwable failure) {
        String text = text(failure, Integer.MAX_VALUE, Throwable::toString);
        return text == null ? failure.getClass().getName() : text;
    }

    private static @Nullable String text(Throwable failure, int most, Function<Throwable, @Nullable String> part) {
        try {
            String text = part.apply(failure);
            return text == null ? null : RecordedFailure.shortened(text, most);
        } catch (Throwable e) { // foreign code may throw anything
            return null;
        }
    }

    /** Tells whether an exception refuses a nested operation for now. A remote refusal has no key hash: it does not. */
    static boolean saysComeAgain(Throwable failure) {
        return failure instanceof IdempotencyException refusal
                && refusal.retry() == Retry.SAME_KEY
                && refusal.keyHash() != null;
    }

    /**
     * Returns the exception for the caller. A nested operation that was refused for now did nothing, but the body may
     * have had effects before. So the outer key becomes free only if the application says so; otherwise the caller gets
     * a refusal of the outer key instead of "send the same key again".
     */
    Throwable answerFor(Throwable thrown) {
        Throwable own = BlockingCalls.unwrapped(thrown);
        if (!saysComeAgain(own) || claim.policy().transactional() || !claim.isProtected()) {
            return thrown;
        }
        Effect effect = effect(own);
        return releases(effect) ? thrown : aboutNested((IdempotencyException) own, effect);
    }

    private IdempotencyException aboutNested(IdempotencyException refusal, Effect effect) {
        String happened = "the body called operation '" + refusal.operation() + "', which was refused for now ("
                + refusal.code() + "), after the body had begun";
        if (effect == Effect.FINAL) {
            return new PreviousAttemptFailedException(
                    claim.operation(),
                    claim.keyHash(),
                    happened + ". That is final for this key, as finalFor says, and the body is not run again.",
                    refusal.getClass().getName(),
                    null,
                    null,
                    refusal);
        }
        return Refusals.nestedRefused(claim.call(), happened, refusal);
    }
}
