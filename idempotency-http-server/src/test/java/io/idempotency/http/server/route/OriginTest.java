package io.idempotency.http.server.route;

import static io.idempotency.http.server.Wire.post;
import static io.idempotency.http.server.Wire.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.http.server.Wire;
import io.micronaut.context.ApplicationContext;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MutableHttpRequest;
import io.micronaut.http.annotation.Filter;
import io.micronaut.http.annotation.RequestFilter;
import io.micronaut.http.annotation.ServerFilter;
import io.micronaut.http.client.HttpClient;
import io.micronaut.http.server.annotation.PreMatching;
import io.micronaut.runtime.server.EmbeddedServer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Micronaut asks no ConditionalFilter any more once a filter ran before the route was matched, as its own one for
 * preflight requests does for every request with an Origin.
 */
@Tag("thorough")
class OriginTest {

    private static final String ORIGIN = "http://localhost:3000";
    private static final String ITEM = "{\"name\":\"book\",\"item\":\"book\",\"price\":12.50}";
    private static final String CONFIGURED = "/plain/text";

    private final String key = UUID.randomUUID().toString();

    private static void serve(boolean cors, Map<String, Object> more, Consumer<Wire> test) {
        Map<String, Object> all = new HashMap<>(more);
        all.put("test.shop", true);
        all.put("test.plain", true);
        all.put("idempotency.http.routes.plain-route.path", CONFIGURED);
        if (cors) {
            all.put("micronaut.server.cors.enabled", true);
            all.put("micronaut.server.cors.configurations.web.allowed-origins", List.of(ORIGIN));
        }
        try (EmbeddedServer server = ApplicationContext.run(EmbeddedServer.class, all);
                HttpClient client = server.getApplicationContext().createBean(HttpClient.class, server.getURL())) {
            test.accept(new Wire(client));
        }
    }

    private MutableHttpRequest<?> request(String path, boolean origin) {
        MutableHttpRequest<?> request = post(path, ITEM).header("Idempotency-Key", key);
        return origin ? request.header("Origin", ORIGIN) : request;
    }

    @ParameterizedTest
    @CsvSource({
        "/plain/pojo, false, false, false",
        "/plain/pojo, false, true, false",
        "/plain/pojo, true, false, false",
        "/plain/pojo, true, true, false",
        "/shop/pojo, false, false, true",
        "/shop/pojo, false, true, true",
        "/shop/pojo, true, false, true",
        "/shop/pojo, true, true, true",
        "/plain/text, false, false, true",
        "/plain/text, false, true, true",
        "/plain/text, true, false, true",
        "/plain/text, true, true, true"
    })
    void anOriginChangesNothingOnAnyRoute(String path, boolean cors, boolean origin, boolean replays) {
        serve(cors, Map.of(), wire -> {
            HttpResponse<byte[]> first = wire.send(request(path, origin));
            assertThat(first.code()).as(text(first)).isBetween(200, 201);
            assertThat(first.header("Access-Control-Allow-Origin")).isEqualTo(cors && origin ? ORIGIN : null);
            HttpResponse<byte[]> again = wire.send(request(path, origin));
            assertThat(again.code()).isEqualTo(first.code());
            assertThat(again.header("Idempotent-Replayed")).isEqualTo(replays ? "true" : null);
            assertThat(text(again).equals(text(first))).isEqualTo(replays);
            assertThat(again.header("Access-Control-Allow-Origin")).isEqualTo(cors && origin ? ORIGIN : null);
        });
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whatHasNoRouteIsNotFoundAsEver(boolean cors) {
        serve(
                cors,
                Map.of(),
                wire -> assertThat(wire.send(request("/nowhere", true)).code()).isEqualTo(404));
    }

    @ParameterizedTest
    @CsvSource({"/plain/pojo, 201", "/plain/text, 200", "/shop/pojo, 201"})
    void aPreflightIsAnsweredAndSpendsNoKey(String path, int status) {
        serve(true, Map.of(), wire -> {
            HttpResponse<byte[]> asked = wire.send(HttpRequest.OPTIONS(path)
                    .header("Origin", ORIGIN)
                    .header("Access-Control-Request-Method", "POST")
                    .header("Access-Control-Request-Headers", "content-type,idempotency-key"));
            assertThat(asked.code()).isEqualTo(200);
            assertThat(asked.header("Access-Control-Allow-Origin")).isEqualTo(ORIGIN);
            HttpResponse<byte[]> first = wire.send(request(path, true));
            assertThat(first.code()).isEqualTo(status);
            assertThat(first.header("Idempotent-Replayed")).isNull();
        });
    }

    @ParameterizedTest
    @CsvSource({"/plain/pojo, 201", "/plain/text, 200", "/shop/pojo, 201"})
    void aFilterOfTheApplicationBeforeTheRouteIsMatchedChangesNothing(String path, int status) {
        serve(false, Map.of("test.pre-matching", true), wire -> {
            assertThat(wire.send(request(path, false)).code()).isEqualTo(status);
            assertThat(wire.send(request(path, false)).code()).isEqualTo(status);
        });
    }

    /** Runs before Micronaut knows the route. */
    @ServerFilter(Filter.MATCH_ALL_PATTERN)
    @Requires(property = "test.pre-matching")
    static class EarlyFilter {
        @PreMatching
        @RequestFilter
        void look(HttpRequest<?> request) {}
    }
}
