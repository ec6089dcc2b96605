package io.idempotency.http.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.micronaut.http.HttpResponse;
import io.micronaut.http.MutableHttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RetryAfterTest {

    private static Optional<Duration> read(String retryAfter, String date) {
        MutableHttpResponse<?> response = HttpResponse.ok().header("Retry-After", retryAfter);
        return RemoteRefusals.retryAfter((date == null ? response : response.header("Date", date)).getHeaders());
    }

    @Test
    void secondsAreSeconds() {
        assertThat(read("120", null)).contains(Duration.ofMinutes(2));
        assertThat(read("0", null)).contains(Duration.ZERO);
    }

    @Test
    void moreSecondsThanAnyoneWaitsAreNoError() {
        for (int digits : new int[] {18, 19, 40}) {
            Duration wait = read("9".repeat(digits), null).orElseThrow();
            assertThat(wait).isGreaterThan(Duration.ofDays(100_000));
            assertThat(Instant.now().plus(wait).toEpochMilli()).isPositive();
        }
    }

    @Test
    void aDateIsCountedFromTheServersClock() {
        assertThat(read("Wed, 21 Oct 2015 07:28:09 GMT", "Wed, 21 Oct 2015 07:28:00 GMT"))
                .contains(Duration.ofSeconds(9));
    }

    @Test
    void aDateThatIsOverIsNow() {
        assertThat(read("Wed, 21 Oct 2015 07:28:00 GMT", null)).contains(Duration.ZERO);
        assertThat(read("Wed, 21 Oct 2015 07:28:00 GMT", "no date")).contains(Duration.ZERO);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-5", "1.5", "soon", "2015-10-21T07:28:00Z"})
    void anythingElseIsAsIfItWereNotThere(String text) {
        assertThat(read(text, null)).isEmpty();
    }
}
