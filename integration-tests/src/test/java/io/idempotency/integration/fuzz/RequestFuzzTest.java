package io.idempotency.integration.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.integration.fuzz.RawHttp.Answer;
import io.idempotency.test.fuzz.Fuzz;
import io.micronaut.context.ApplicationContext;
import io.micronaut.runtime.server.EmbeddedServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Any key header and any body: never the server's own failure, and one body for what was sent twice. */
@Tag("thorough")
class RequestFuzzTest {

    private static final Map<String, Object> CONFIGURATION = Map.of(
            Target.PROPERTY,
            true,
            "redis.enabled",
            false,
            "idempotency.store",
            "memory",
            "idempotency.http.routes.fuzz.path",
            "/fuzz/configured",
            "idempotency.http.routes.fuzz.canonical-json",
            true);

    private static Stream<String> hostile() {
        return Stream.of(
                "{\"amount\":100e2147483647}",
                "{\"amount\":10000000000000000000e2147483647}",
                "{\"more\":{\"a\":1e1000000000}}",
                "{\"more\":{\"a\":-1e-1000000000}}",
                "{\"more\":{\"a\":[100e2147483647]}}",
                "{\"more\":{\"a\":10000000000000000000e2147483647}}",
                "{\"more\":" + "{\"a\":".repeat(300) + "1" + "}".repeat(301),
                "{\"more\":" + "{\"a\":".repeat(1000) + "1" + "}".repeat(1001),
                "{\"more\":{\"a\":" + "[".repeat(300) + "]".repeat(300) + "}}",
                "{\"parts\":[".repeat(120) + "]}".repeat(120),
                "{\"parts\":[".repeat(500) + "]}".repeat(500));
    }

    @ParameterizedTest
    @MethodSource("hostile")
    void jsonThatIsReadAndCannotBeToldApartIsNoFailureOfTheServer(String body) throws IOException {
        try (ApplicationContext application = ApplicationContext.run(CONFIGURATION, "test")) {
            EmbeddedServer server = application.getBean(EmbeddedServer.class).start();
            for (String path : List.of("/fuzz/annotated", "/fuzz/configured", "/fuzz/amount")) {
                byte[] head = RawHttp.ascii("Content-Type: application/json\r\nIdempotency-Key: k");
                Answer answer = new RawHttp(server.getPort()).post(path, head, body.getBytes(StandardCharsets.UTF_8));
                assertThat(answer.status()).as("%s: %s", path, answer).isBetween(200, 499);
            }
        }
    }

    @Test
    void anyRequestIsAnsweredOrRefused() {
        try (ApplicationContext application = ApplicationContext.run(CONFIGURATION, "test")) {
            EmbeddedServer server = application.getBean(EmbeddedServer.class).start();
            RawHttp http = new RawHttp(server.getPort());
            Fuzz.inputs(150, input -> {
                String path = input.one("/fuzz/annotated", "/fuzz/configured", "/fuzz/amount");
                String type = input.oneIn(4)
                        ? input.one("text/plain", "application/json;charset=utf-16", "")
                        : "application/json";
                String key = input.oneIn(4) ? input.text(300).replaceAll("[\r\n]", "") : "k" + input.number();
                byte[] head = RawHttp.ascii("Content-Type: " + type + "\r\nIdempotency-Key: " + key);
                byte[] body = input.oneIn(4)
                        ? input.bytes(100)
                        : input.json("amount", "more", "parts").getBytes(StandardCharsets.UTF_8);
                Answer first = http.post(path, head, body);
                Answer second = http.post(path, head, body);
                assertThat(first.status()).as("%s", first).isLessThan(500);
                if (first.status() == 200 && first.head().contains("Idempotency-Status")) {
                    assertThat(second.body()).as("%s, then %s", first, second).isEqualTo(first.body());
                }
            });
        }
    }
}
