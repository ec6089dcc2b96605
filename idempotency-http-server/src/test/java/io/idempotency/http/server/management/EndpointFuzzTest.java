package io.idempotency.http.server.management;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.IdempotentOperation;
import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.RecordId;
import io.idempotency.test.fuzz.Fuzz;
import io.idempotency.test.fuzz.Input;
import io.micronaut.context.annotation.Property;
import io.micronaut.context.annotation.Requires;
import io.micronaut.runtime.server.EmbeddedServer;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.math.BigDecimal;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Whatever is sent to the operators' endpoint is answered or refused: it is never the server that fails. */
@MicronautTest
@Property(name = "test.endpoint-fuzz", value = "true")
@Property(name = "idempotency.store", value = "memory")
@Property(name = "endpoints.idempotency.sensitive", value = "false")
class EndpointFuzzTest {

    private static final RecordId ID = RecordId.of("endpoint-fuzz", null, null, "k");

    @Singleton
    @Requires(property = "test.endpoint-fuzz")
    static class Payments {
        @IdempotentOperation(value = "endpoint-fuzz", key = "amount")
        void pay(BigDecimal amount) {}
    }

    private final HttpClient client = HttpClient.newHttpClient();

    @Inject
    EmbeddedServer server;

    @Inject
    IdempotencyStore store;

    @Test
    void noRequestIsAFailureOfTheServer() {
        Duration day = Duration.ofDays(1);
        store.claim(new Claim(ID, "endpoint-fuzz", "1:00", "owner", Duration.ofMillis(1), day, false));
        Fuzz.inputs(250, input -> {
            String path = "/idempotency";
            String body = null;
            switch (input.below(4)) {
                case 0 -> path += query(input);
                case 1 -> path += "/" + encoded(input.oneIn(2) ? input.text(10) : Long.toHexString(input.number()));
                case 2 -> {
                    path += "/find";
                    body = object(input, "operation", "key", "caller");
                }
                default -> {
                    path += "/" + (input.oneIn(4) ? encoded(input.text(64)) : ID.value())
                            + input.one("", "/erase", "/x");
                    body = object(input, "fence", "outcome", "actor", "reason", "result");
                }
            }
            HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(server.getURL() + path))
                    .header("Content-Type", "application/json");
            if (body != null) {
                request.POST(HttpRequest.BodyPublishers.ofString(body));
            }
            HttpResponse<String> answer = client.send(request.build(), HttpResponse.BodyHandlers.ofString());
            assertThat(answer.statusCode())
                    .as("%s %s: %s", path, body, answer.body())
                    .isBetween(200, 499);
        });
    }

    private static String query(Input input) {
        StringBuilder query = new StringBuilder("?x=y");
        for (String name : new String[] {"state", "operation", "olderThan", "next", "limit"}) {
            if (input.oneIn(2)) {
                query.append('&').append(name).append('=').append(encoded(parameter(input)));
            }
        }
        return query.toString();
    }

    private static String parameter(Input input) {
        return switch (input.below(4)) {
            case 0 -> input.text(20);
            case 1 -> Long.toString(input.number());
            case 2 -> input.one("PT9223372036854775807S", "-1s", "PT-9223372036854775807S", "2147483647d", "1ns");
            default -> input.one("in-doubt", "in-progress", "completed", "endpoint-fuzz", "OTk5OTk5OTk5OTk5OTk5OjA");
        };
    }

    private static String object(Input input, String... names) {
        if (input.oneIn(4)) {
            return input.json(names);
        }
        StringBuilder object = new StringBuilder("{");
        for (String name : names) {
            object.append(object.length() > 1 ? "," : "")
                    .append('"')
                    .append(name)
                    .append("\":");
            object.append(
                    switch (input.below(4)) {
                        case 0 -> input.json(names);
                        case 1 -> input.one("\"completed\"", "\"failed\"", "\"absent\"", "\"endpoint-fuzz\"");
                        case 2 -> input.one("\"100e2147483647\"", "1e1000000000", "\"1e1000000000\"", "\"k\"");
                        default -> Long.toString(input.number());
                    });
        }
        return object.append('}').toString();
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
