package io.idempotency.http.server.problem;

import static io.idempotency.http.server.Wire.post;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.idempotency.http.server.Wire;
import io.idempotency.test.logs.LogLines;
import io.micronaut.context.annotation.Property;
import io.micronaut.http.client.HttpClient;
import io.micronaut.http.client.annotation.Client;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import jakarta.inject.Inject;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Any client can be refused as often as it likes, and must neither fill the log with that nor forge its lines. */
@MicronautTest
@Property(name = "test.paid", value = "true")
@Property(name = "idempotency.store", value = "memory")
class RefusalLogLimiterTest {

    @Inject
    @Client("/")
    HttpClient http;

    private void pay(String key) {
        new Wire(http).send(post("/paid/pojo", "{\"id\":\"p-1\",\"amount\":1}").header("Idempotency-Key", key));
    }

    @Test
    void manyRefusalsAreOneLine() {
        String key = UUID.randomUUID().toString();
        pay(key);
        try (LogLines lines = LogLines.of(ProblemHandler.class).from(Level.DEBUG)) {
            for (int i = 0; i < 5; i++) {
                pay(key);
            }
            assertThat(lines.messages(Level.INFO)).hasSize(1);
            assertThat(lines.messages(Level.DEBUG)).hasSize(4).allMatch(line -> line.contains("outcome-unknown"));
        }
    }

    @Test
    void refusalsThatARetryCuresAreOneLineToo() {
        try (LogLines lines = LogLines.of(ProblemHandler.class).from(Level.DEBUG)) {
            for (int i = 0; i < 3; i++) {
                pay("not a key");
            }
            assertThat(lines.messages(Level.INFO)).hasSize(1).allMatch(line -> line.contains("key-invalid"));
            assertThat(lines.messages(Level.DEBUG)).hasSize(2);
        }
    }

    @Test
    void whatAClientSentStaysInOneLine() {
        String key = UUID.randomUUID().toString();
        try (LogLines lines = LogLines.of(ProblemHandler.class).from(Level.DEBUG)) {
            for (int i = 0; i < 2; i++) {
                new Wire(http)
                        .send(post(
                                        "/paid/mapped",
                                        "{\"id\":\"p-1\\r\\n12:00:00 ERROR forged\\u0085\\u2028\\u202etwice\",\"amount\":1}")
                                .header("Idempotency-Key", key));
            }
            assertThat(lines.messages())
                    .singleElement()
                    .satisfies(line -> assertThat(line)
                            .contains("p-1 12:00:00 ERROR forged twice")
                            .doesNotContainPattern("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]"));
        }
    }

    @Test
    void eachOperationAndCodeIsShownOnceAMinuteWithTheNumberOfTheOthers() {
        long now = Long.MAX_VALUE - 5;
        ProblemHandler.LogLimiter refusals = new ProblemHandler.LogLimiter();
        assertThat(refusals.shows("pay", "key-missing", now)).isEqualTo(0);
        assertThat(refusals.shows("pay", "key-missing", now)).isNegative();
        assertThat(refusals.shows("pay", "key-invalid", now)).isEqualTo(0);
        assertThat(refusals.shows("refund", "key-missing", now)).isEqualTo(0);
        now += TimeUnit.SECONDS.toNanos(59);
        assertThat(refusals.shows("pay", "key-missing", now)).isNegative();
        now += TimeUnit.SECONDS.toNanos(2);
        assertThat(refusals.shows("pay", "key-missing", now)).isEqualTo(2);
        assertThat(refusals.shows("pay", "key-missing", now)).isNegative();
    }
}
