package io.idempotency.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.micronaut.context.ApplicationContext;
import io.micronaut.runtime.server.EmbeddedServer;
import java.net.http.HttpRequest;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the demo makes of answers that the built-in provider never gives. */
class ProviderAnswersTest {

    @Test
    void switchedOffTheDemoChargesEveryTime() throws Exception {
        try (RecordingProvider provider = new RecordingProvider();
                EmbeddedServer demo = ApplicationContext.run(
                        EmbeddedServer.class,
                        Map.of(
                                "demo.provider.url",
                                provider.url(),
                                "idempotency.enabled",
                                false,
                                "micronaut.server.port",
                                -1),
                        "test")) {
            Shop shop = new Shop(demo.getURI());
            assertThat(shop.pay("k", "o", "1").statusCode()).isEqualTo(201);
            assertThat(shop.pay("k", "o", "1").statusCode()).isEqualTo(201);
            assertThat(provider.charges).happened(2);
        }
    }

    @ParameterizedTest
    @CsvSource({"201, ''", "201, null", "201, {\"id\":", "200, <html>", "204, ''", "503, {}"})
    void aChargeWhoseAnswerCannotBeReadIsUnknownAndNeverMadeAgain(int status, String answer) throws Exception {
        try (RecordingProvider provider = new RecordingProvider();
                EmbeddedServer demo = ApplicationContext.run(
                        EmbeddedServer.class,
                        Map.of("demo.provider.url", provider.url(), "micronaut.server.port", -1),
                        "test")) {
            provider.status = status;
            provider.answer = answer;
            Shop shop = new Shop(demo.getURI());
            String key = UUID.randomUUID().toString();
            assertThat(shop.pay(key, "o", "1").statusCode()).isEqualTo(504);
            assertThat(shop.pay(key, "o", "1").body()).contains("outcome-unknown");
            assertThat(provider.charges).happenedOnce();
        }
    }

    @Test
    void aRefundThatTheProviderListsLateIsUnknownUntilThenAndNeverMadeAgain() throws Exception {
        try (RecordingProvider provider = new RecordingProvider();
                EmbeddedServer demo = ApplicationContext.run(
                        EmbeddedServer.class,
                        Map.of("demo.provider.url", provider.url(), "micronaut.server.port", -1),
                        "test")) {
            Shop shop = new Shop(demo.getURI());
            String payment =
                    shop.pay("paid", "o", "1").headers().firstValue("Location").orElseThrow();
            HttpRequest refund = shop.post(payment + "/refunds", "{\"amount\":1}", "Idempotency-Key", "refunded");
            provider.showsRefunds = false;
            assertThat(shop.send(refund).statusCode()).isEqualTo(504);
            assertThat(shop.send(refund).body()).contains("outcome-unknown");

            provider.showsRefunds = true;
            assertThat(shop.send(refund).statusCode()).isEqualTo(201);
            assertThat(provider.refunds).hasSize(1);
        }
    }
}
