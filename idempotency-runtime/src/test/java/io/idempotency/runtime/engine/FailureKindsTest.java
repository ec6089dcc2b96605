package io.idempotency.runtime.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.runtime.Effect;
import io.idempotency.runtime.Outcome;
import io.idempotency.runtime.call.RunningCall;
import io.micronaut.http.client.exceptions.HttpClientException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.security.cert.CertificateException;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTimeoutException;
import java.sql.SQLTransientConnectionException;
import java.sql.SQLTransientException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;

/** What exceptions say about the effect, by the operation's lists, the classifiers and what the library knows. */
class FailureKindsTest {

    private final Engine engine = new Engine();

    private static class Declined extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Declined(Throwable cause) {
            super(cause);
        }
    }

    private static final class DeclinedOnTimeout extends Declined {
        private static final long serialVersionUID = 1L;

        DeclinedOnTimeout(Throwable cause) {
            super(cause);
        }
    }

    private Effect effectOf(Throwable thrown) {
        Outcome outcome = engine.call("k" + engine.bodies.get(), context -> {
            throw thrown;
        });
        return ((Outcome.Threw) outcome).effect();
    }

    @Test
    void ofTypesInTwoListsTheNearestDecides() {
        engine.declaredEffects = Map.of(Declined.class, Effect.NONE, DeclinedOnTimeout.class, Effect.UNKNOWN);
        assertThat(effectOf(new Declined(null))).isEqualTo(Effect.NONE);
        assertThat(effectOf(new DeclinedOnTimeout(null))).isEqualTo(Effect.UNKNOWN);

        engine.declaredEffects = Map.of(RuntimeException.class, Effect.UNKNOWN, Declined.class, Effect.FINAL);
        assertThat(effectOf(new DeclinedOnTimeout(null))).isEqualTo(Effect.FINAL);
        assertThat(effectOf(new IllegalStateException())).isEqualTo(Effect.UNKNOWN);
    }

    /** That the last attempt sent nothing says nothing about the ones before. */
    @Test
    void aCallThatWasMadeAgainIsUnknownWhenAnyAttemptMayHaveBegun() {
        assertThat(effectOf(new ConnectException())).isEqualTo(Effect.FINAL);
        assertThat(effectAfter(new ConnectException())).isEqualTo(Effect.FINAL);
        assertThat(effectAfter(new SocketTimeoutException())).isEqualTo(Effect.UNKNOWN);
        assertThat(effectAfter(new IllegalStateException(new SocketTimeoutException())))
                .isEqualTo(Effect.UNKNOWN);
    }

    @Test
    void anAttemptOfWhichNothingIsKnownHidesNothing() {
        assertThat(effectAfter(new IllegalStateException())).isEqualTo(Effect.FINAL);
    }

    @Test
    void anAttemptIsNotForgottenHoweverManySentNothingBeforeIt() {
        List<Throwable> attempts = new ArrayList<>(Collections.nCopies(1000, new ConnectException()));
        assertThat(effectAfter(attempts.toArray(Throwable[]::new))).isEqualTo(Effect.FINAL);
        attempts.add(new SocketTimeoutException());
        assertThat(effectAfter(attempts.toArray(Throwable[]::new))).isEqualTo(Effect.UNKNOWN);
    }

    /** That the last attempt is declared as one without effect says nothing about the ones before either. */
    @Test
    void anAttemptIsNotForgottenWhenTheLastIsDeclaredAsOneWithoutEffect() {
        engine.declaredEffects =
                Map.of(ConnectException.class, Effect.NONE, SocketTimeoutException.class, Effect.FINAL);
        assertThat(effectAfter(new ConnectException(), new UnknownHostException()))
                .isEqualTo(Effect.NONE);
        assertThat(effectAfter(new SocketTimeoutException())).isEqualTo(Effect.FINAL);
        assertThat(effectAfter(new IllegalStateException())).isEqualTo(Effect.FINAL);
        assertThat(effectAfter(new IOException(), new IllegalStateException())).isEqualTo(Effect.UNKNOWN);
    }

    /** Loops of the application's own add the failures of former attempts to the last one, or to a client's wrapper of it. */
    @Test
    void anAttemptIsNotForgottenThatTheLastOneSuppresses() {
        engine.declaredEffects = Map.of(ConnectException.class, Effect.NONE, Declined.class, Effect.UNKNOWN);
        for (Throwable lost : List.of(new SocketTimeoutException(), new Declined(null))) {
            Throwable last = new ConnectException();
            assertThat(effectOf(last)).isEqualTo(Effect.NONE);
            Throwable wrapper = new HttpClientException("wrapped", last);
            wrapper.addSuppressed(lost);
            assertThat(effectOf(wrapper)).isEqualTo(Effect.UNKNOWN);
            last.addSuppressed(lost);
            assertThat(effectOf(last)).isEqualTo(Effect.UNKNOWN);
        }
        Throwable refused = new ConnectException();
        refused.addSuppressed(new ConnectException());
        refused.addSuppressed(new IllegalStateException());
        assertThat(effectOf(refused)).isEqualTo(Effect.NONE);
    }

    /** A retry goes on whatever a classifier does. */
    @Test
    void anAttemptThatCannotBeClassifiedMayHaveBegun() {
        engine.classifier = failure -> {
            if (failure instanceof Declined) {
                throw new LinkageError("made by a test");
            }
            return Optional.empty();
        };
        assertThat(effectAfter(new Declined(null))).isEqualTo(Effect.UNKNOWN);
    }

    private Effect effectAfter(Throwable... earlier) {
        Outcome outcome = engine.call("k" + engine.bodies.get(), context -> {
            Stream.of(earlier).forEach(((RunningCall) context)::retried);
            throw new ConnectException();
        });
        return ((Outcome.Threw) outcome).effect();
    }

    @Test
    void aProofOfNoEffectIsNoneWhenItIsOnlyTheCause() {
        engine.declaredEffects = Map.of(Declined.class, Effect.NONE, IOException.class, Effect.NONE);
        assertThat(effectOf(new IllegalStateException(new Declined(null)))).isEqualTo(Effect.FINAL);
        assertThat(effectOf(new IllegalStateException(new IOException()))).isEqualTo(Effect.UNKNOWN);
        assertThat(effectOf(new Declined(new IOException()))).isEqualTo(Effect.NONE);
    }

    @Test
    void aDeclaredUnknownCountsAsACauseToo() {
        engine.declaredEffects = Map.of(Declined.class, Effect.UNKNOWN);
        assertThat(effectOf(new IllegalStateException(new Declined(null)))).isEqualTo(Effect.UNKNOWN);
    }

    @Test
    void aDeclaredFinalOverridesWhatLooksLikeACutOff() {
        engine.declaredEffects = Map.of(FileNotFoundException.class, Effect.FINAL, AssertionError.class, Effect.FINAL);
        assertThat(effectOf(new FileNotFoundException())).isEqualTo(Effect.FINAL);
        assertThat(effectOf(new UncheckedIOException(new FileNotFoundException())))
                .isEqualTo(Effect.FINAL);
        assertThat(effectOf(new IOException())).isEqualTo(Effect.UNKNOWN);
        assertThat(effectOf(new AssertionError())).isEqualTo(Effect.FINAL);
        assertThat(effectOf(new StackOverflowError())).isEqualTo(Effect.UNKNOWN);
    }

    @Test
    void theOutermostOfWhichAnythingIsKnownDecides() {
        engine.declaredEffects = Map.of(Declined.class, Effect.FINAL, IllegalStateException.class, Effect.UNKNOWN);
        assertThat(effectOf(new Declined(new IllegalStateException()))).isEqualTo(Effect.FINAL);
        assertThat(effectOf(new IllegalStateException(new Declined(null)))).isEqualTo(Effect.UNKNOWN);
    }

    @Test
    void aSupertypeOfACutOffSaysNothingAboutTheCutOff() {
        engine.declaredEffects = Map.of(SQLException.class, Effect.NONE, Exception.class, Effect.FINAL);
        assertThat(effectOf(new SQLException("duplicate", "23505"))).isEqualTo(Effect.NONE);
        assertThat(effectOf(new SQLTimeoutException())).isEqualTo(Effect.UNKNOWN);
        assertThat(effectOf(new SocketTimeoutException())).isEqualTo(Effect.UNKNOWN);
        assertThat(effectOf(new IllegalStateException())).isEqualTo(Effect.FINAL);
    }

    @Test
    void aDeclarationGoesBeforeAClassifier() {
        engine.classifier = failure -> failure instanceof Declined ? Optional.of(Effect.UNKNOWN) : Optional.empty();
        assertThat(effectOf(new Declined(null))).isEqualTo(Effect.UNKNOWN);
        assertThat(effectOf(new IllegalStateException(new Declined(null)))).isEqualTo(Effect.UNKNOWN);

        engine.declaredEffects = Map.of(Declined.class, Effect.NONE);
        assertThat(effectOf(new Declined(null))).isEqualTo(Effect.NONE);
    }

    private static SQLException made(SQLException failure, String byClass) {
        failure.setStackTrace(new StackTraceElement[] {new StackTraceElement(byClass, "getConnection", null, -1)});
        return failure;
    }

    @Test
    void aConnectionThatWasNeverMadeHasSentNothing() {
        assertThat(effectOf(new SQLException("refused", "08001"))).isEqualTo(Effect.FINAL);
        assertThat(effectOf(new SQLNonTransientConnectionException("refused", "08001")))
                .isEqualTo(Effect.FINAL);
        assertThat(effectOf(new SQLException("starting up", "57P03"))).isEqualTo(Effect.FINAL);
        assertThat(effectOf(new SQLException("lost", "08006"))).isEqualTo(Effect.UNKNOWN);
        assertThat(effectOf(new SQLTransientException("busy", "08006"))).isEqualTo(Effect.UNKNOWN);
    }

    @Test
    void anEmptyPoolHasSentNothingAndADriverThatUsesItsExceptionMayHave() {
        String pool = "com.zaxxer.hikari.pool.HikariPool";
        assertThat(effectOf(made(new SQLTransientConnectionException("no connection"), pool)))
                .isEqualTo(Effect.FINAL);
        assertThat(effectOf(made(new SQLTransientConnectionException("lost"), "org.example.Driver")))
                .isEqualTo(Effect.UNKNOWN);
        assertThat(effectOf(made(new SQLRecoverableException("lost"), pool))).isEqualTo(Effect.UNKNOWN);
        SQLException nowhere = new SQLTransientConnectionException("lost");
        nowhere.setStackTrace(new StackTraceElement[0]);
        assertThat(effectOf(nowhere)).isEqualTo(Effect.UNKNOWN);
    }

    @Test
    void onlyACertificateIsLookedAtBeforeAnythingIsSent() {
        SSLHandshakeException untrusted = new SSLHandshakeException("no trusted certificate found");
        untrusted.initCause(new IllegalStateException(new CertificateException()));
        assertThat(effectOf(untrusted)).isEqualTo(Effect.FINAL);
        assertThat(effectOf(new SSLHandshakeException("alert"))).isEqualTo(Effect.UNKNOWN);
        SSLHandshakeException late = new SSLHandshakeException("alert");
        late.initCause(endless());
        assertThat(effectOf(late)).isEqualTo(Effect.UNKNOWN);
    }

    @Test
    void theCauseOfAClientsWrappingSpeaksForIt() {
        engine.declaredEffects = Map.of(Declined.class, Effect.NONE);
        assertThat(effectOf(new HttpClientException("wrapped", new Declined(null))))
                .isEqualTo(Effect.NONE);
        assertThat(effectOf(new HttpClientException("wrapped", new IllegalStateException(new Declined(null)))))
                .isEqualTo(Effect.FINAL);
    }

    /** An exception may be among its own causes. */
    private static Throwable endless() {
        Throwable one = new IllegalStateException();
        Throwable other = new IllegalStateException(one);
        one.initCause(other);
        return other;
    }

    @Test
    void causesAreFollowedSoFarAndNoFurther() {
        assertThat(effectOf(endless())).isEqualTo(Effect.FINAL);
        assertThat(effectAfter(endless())).isEqualTo(Effect.FINAL);
        Throwable last = new IOException();
        for (int wrappers = 0; wrappers < 19; wrappers++) {
            last = new IllegalStateException(last);
        }
        assertThat(effectOf(last)).isEqualTo(Effect.UNKNOWN);
        assertThat(effectAfter(last)).isEqualTo(Effect.UNKNOWN);
        assertThat(effectOf(new IllegalStateException(last))).isEqualTo(Effect.FINAL);
        assertThat(effectAfter(new IllegalStateException(last))).isEqualTo(Effect.FINAL);
    }
}
