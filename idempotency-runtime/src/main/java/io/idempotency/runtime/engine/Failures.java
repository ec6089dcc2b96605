package io.idempotency.runtime.engine;

import io.idempotency.IdempotencyException;
import io.idempotency.OnFailure;
import io.idempotency.runtime.Effect;
import io.idempotency.runtime.FailureClassifier;
import io.idempotency.runtime.FailureSanitizer;
import io.idempotency.runtime.store.StoredFailure;
import java.io.IOException;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTimeoutException;
import java.sql.SQLTransientConnectionException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What an exception of a body means, and what is remembered of it. */
final class Failures {

    private static final Logger LOG = LoggerFactory.getLogger(Failures.class);
    private static final int MAX_CAUSES = 20;
    private static final int MAX_TYPE = 250;
    private static final int MAX_MESSAGE = 2000;
    private static final int MAX_CODE = 100;
    private static final int MAX_REASON = 500;

    /** The caller was cut off from what it had started; the JDBC types are those of a lost connection or time-out. */
    private static final Set<Class<? extends Throwable>> CUT_OFF = Set.of(
            Error.class,
            InterruptedException.class,
            CancellationException.class,
            TimeoutException.class,
            IOException.class,
            SQLNonTransientConnectionException.class,
            SQLTransientConnectionException.class,
            SQLRecoverableException.class,
            SQLTimeoutException.class);

    /**
     * SQLSTATEs of drivers that throw plain SQLExceptions: connection lost (class 08), completion unknown (40003),
     * cancelled by a time-out (57014), server going away (57P01 to 57P03, 57P05).
     */
    private static final List<String> CUT_OFF_STATES = List.of("08", "40003", "57014", "57P");

    private final List<FailureClassifier> classifiers;
    private final FailureSanitizer sanitizer;

    Failures(List<FailureClassifier> classifiers, FailureSanitizer sanitizer) {
        this.classifiers = classifiers;
        this.sanitizer = sanitizer;
    }

    /** The first of the exception and its causes, from the outside in, of which anything is known decides. */
    @SuppressWarnings("CatchingUnchecked") // exceptions and classifiers are foreign code and may throw anything
    Effect effect(Throwable thrown, ActiveClaim claim) {
        if (claim.declaredNoEffect()) {
            return Effect.NONE;
        }
        try {
            Map<Class<? extends Throwable>, Effect> declared =
                    claim.call().operation().policy().declaredEffects();
            Throwable failure = StoreInvoker.unwrapped(thrown);
            Effect effect = classified(failure, declared);
            // what is known of the exception comes first; otherwise its answer says what it means
            return effect == Effect.FINAL && declared(failure, declared) == null
                    ? answered(thrown).map(AnsweredFailure::effect).orElse(effect)
                    : effect;
        } catch (Throwable e) {
            LOG.warn("{} could not be classified, so the outcome is unknown", thrown.getClass(), e);
            return Effect.UNKNOWN;
        }
    }

    /** What is known of the answer, wherever the stages wrapped it. */
    static Optional<AnsweredFailure> answered(Throwable thrown) {
        Throwable inner = thrown;
        while (inner instanceof CompletionException && inner.getCause() != null) {
            inner = inner.getCause();
        }
        return inner instanceof AnsweredFailure answered ? Optional.of(answered) : Optional.empty();
    }

    /** What is told of a failure: the body's own, without its answer. */
    static Throwable ofBody(Throwable thrown) {
        return answered(thrown).map(AnsweredFailure::failure).orElse(thrown);
    }

    private Effect classified(Throwable failure, Map<Class<? extends Throwable>, Effect> declared) {
        int depth = 0;
        for (Throwable cause = failure; cause != null && depth < MAX_CAUSES; cause = cause.getCause(), depth++) {
            Effect effect = declared(cause, declared);
            if (effect != null && (effect != Effect.NONE || depth == 0)) {
                return effect; // what wraps a proof of no effect may have come after an effect
            }
            Effect known = known(cause);
            if (known != null) {
                return known;
            }
        }
        return Effect.FINAL;
    }

    /** By the nearest type: a declared supertype of a cut-off says nothing about the cut-off. */
    private static @Nullable Effect declared(Throwable failure, Map<Class<? extends Throwable>, Effect> declared) {
        for (Class<?> type = failure.getClass(); type != null; type = type.getSuperclass()) {
            Effect effect = declared.get(type);
            if (effect != null || CUT_OFF.contains(type)) {
                return effect;
            }
        }
        return null;
    }

    boolean releases(Effect effect, ActiveClaim claim) {
        return effect == Effect.NONE
                || effect == Effect.FINAL && claim.call().operation().policy().onFailure() == OnFailure.RELEASE;
    }

    private @Nullable Effect known(Throwable cause) {
        for (FailureClassifier classifier : classifiers) {
            Optional<Effect> effect = classifier.effect(cause);
            if (effect.isPresent()) {
                return effect.get();
            }
        }
        if (cause instanceof IdempotencyException nested
                && nested.executed() == IdempotencyException.Executed.UNKNOWN) {
            return Effect.UNKNOWN; // a nested operation of this body may or may not have had its effect
        }
        boolean cutOff = CUT_OFF.stream().anyMatch(type -> type.isInstance(cause))
                || cause instanceof SQLException sql && cutOffState(sql.getSQLState());
        return cutOff ? Effect.UNKNOWN : null;
    }

    private static boolean cutOffState(@Nullable String state) {
        return state != null && CUT_OFF_STATES.stream().anyMatch(state::startsWith);
    }

    StoredFailure describe(Throwable thrown) {
        Throwable failure = StoreInvoker.unwrapped(thrown);
        String message = text(failure, sanitizer::message);
        String code = text(failure, this::code);
        return new StoredFailure(
                type(failure),
                message == null ? null : shortened(message, MAX_MESSAGE),
                code == null ? null : shortened(code, MAX_CODE));
    }

    private String type(Throwable failure) {
        String type = text(failure, sanitizer::type);
        return shortened(type == null ? failure.getClass().getName() : type, MAX_TYPE);
    }

    private @Nullable String code(Throwable failure) {
        return classifiers.stream()
                .map(classifier -> classifier.code(failure))
                .flatMap(Optional::stream)
                .findFirst()
                .orElse(null);
    }

    /** Why an outcome is unknown, for operators. It is stored and not sealed, so that the sanitiser decides here too. */
    String reason(String what, Throwable failure, ActiveClaim claim) {
        StoredFailure described = describe(failure);
        boolean kept =
                described.message() != null && !claim.call().operation().seal().hides();
        return reason(what + " with " + described.type() + (kept ? ": " + described.message() : ""));
    }

    static String reason(String what) {
        return shortened(what, MAX_REASON);
    }

    /** An exception as text, whatever its own methods throw. */
    static String text(Throwable failure) {
        String text = text(failure, Throwable::toString);
        return text == null ? failure.getClass().getName() : text;
    }

    @SuppressWarnings("CatchingUnchecked") // foreign code, and a message may be made of things that are gone
    private static @Nullable String text(Throwable failure, Function<Throwable, @Nullable String> part) {
        try {
            return part.apply(failure);
        } catch (Throwable e) {
            return null;
        }
    }

    static String shortened(String text, int most) {
        return text.length() <= most ? text : text.substring(0, most - 1) + '…';
    }
}
