package io.idempotency.http.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.idempotency.runtime.http.HttpClientClassifier;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.client.exceptions.HttpClientException;
import io.micronaut.http.client.exceptions.HttpClientResponseException;
import io.micronaut.http.client.exceptions.ReadTimeoutException;
import java.io.IOException;
import java.net.ConnectException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import java.util.stream.Stream;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Mono;

/** That the last attempt could not be sent does not hide that one before it may have been executed. */
class HiddenAttemptTest {

    private static final HttpClientException REFUSED =
            new HttpClientException("Connect Error", new ConnectException("Connection refused"));

    private final RetryLoop attempts = RecordingTimer.loop(1);

    private interface Kind extends Function<RetryLoop, Function<List<Throwable>, Throwable>> {}

    static Stream<Kind> kinds() {
        return Stream.of(
                attempts -> failures -> catchThrowable(() -> attempts.blocking(() -> failedWith(failures))),
                attempts -> failures -> attempts.reactive(() -> Mono.error(failures.remove(0)))
                        .materialize()
                        .blockLast()
                        .getThrowable());
    }

    private static Object failedWith(List<Throwable> failures) throws Exception {
        throw (Exception) failures.remove(0);
    }

    private Throwable last(Kind kind, Throwable first, Throwable second) {
        return kind.apply(attempts).apply(new ArrayList<>(List.of(first, second)));
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void anAttemptThatMayHaveBeenExecutedIsNotHidden(Kind kind) {
        Throwable last = last(kind, ReadTimeoutException.TIMEOUT_EXCEPTION, REFUSED);
        assertThat(last).isInstanceOf(HttpClientException.class).hasCause(REFUSED);
        assertThat(HttpClientClassifier.isUnsent(last)).isFalse();
    }

    @Test
    @Timeout(value = 10, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void aFailureThatIsACauseOfItselfIsLookedThroughOnce() {
        SSLHandshakeException handshake = new SSLHandshakeException("cut off");
        handshake.initCause(new IOException("connection reset", handshake));
        assertThat(HttpClientClassifier.isUnsent(new HttpClientException("Connect Error", handshake)))
                .isFalse();
    }

    /** As where the application stops. */
    @Test
    void thatTheNextAttemptCannotBeScheduledDoesNotHideTheLostOne() {
        ExecutorService closed = Executors.newSingleThreadExecutor();
        closed.shutdown();
        RetryLoop last = new RetryLoop(attempts.call(), attempts.policy(), new RetryLoop.Timer(closed));
        assertThat(catchThrowable(() -> last.reactive(() -> Mono.error(ReadTimeoutException.TIMEOUT_EXCEPTION))
                        .blockLast()))
                .isSameAs(ReadTimeoutException.TIMEOUT_EXCEPTION);
        assertThat(catchThrowable(() -> last.reactive(() -> Mono.just(HttpResponse.serverError()))
                        .blockLast()))
                .isInstanceOf(HttpClientResponseException.class);
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void attemptsThatWereNeverSentHideNothing(Kind kind) {
        assertThat(last(kind, REFUSED, REFUSED)).isSameAs(REFUSED);
    }
}
