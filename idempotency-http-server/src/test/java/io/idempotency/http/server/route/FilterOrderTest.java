package io.idempotency.http.server.route;

import static io.idempotency.http.server.Wire.post;
import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.http.server.Wire;
import io.idempotency.test.logs.LogLines;
import io.micronaut.context.ApplicationContext;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.core.annotation.Order;
import io.micronaut.core.order.Ordered;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.Filter;
import io.micronaut.http.annotation.RequestFilter;
import io.micronaut.http.annotation.ServerFilter;
import io.micronaut.http.client.HttpClient;
import io.micronaut.http.filter.HttpServerFilter;
import io.micronaut.http.filter.ServerFilterChain;
import io.micronaut.http.filter.ServerFilterPhase;
import io.micronaut.runtime.server.EmbeddedServer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;

/** Filters of the application that refuse callers, and the claim of a configured route. */
class FilterOrderTest {

    private static final String ORDER = "{\"item\":\"book\",\"price\":12.50}";

    private final String key = UUID.randomUUID().toString();

    private static void serve(Map<String, Object> more, Consumer<Wire> test) {
        Map<String, Object> all = new HashMap<>(more);
        all.put("test.plain", true);
        all.put("idempotency.http.routes.plain-route.path", "/plain/**");
        try (EmbeddedServer server = ApplicationContext.run(EmbeddedServer.class, all);
                HttpClient client = server.getApplicationContext().createBean(HttpClient.class, server.getURL())) {
            test.accept(new Wire(client));
        }
    }

    private HttpResponse<byte[]> send(Wire wire, String allowed) {
        return wire.send(
                post("/plain/pojo", ORDER).header("Idempotency-Key", key).header("X-Allowed", allowed));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a-natural", "z-natural", "everywhere", "older", "older-last", "last", "lowest"})
    void whomAFilterRefusesGetsItsRefusalAndNeverARecordedAnswer(String gate) {
        serve(Map.of("test.gate", gate), wire -> {
            assertThat(send(wire, "no").code()).isEqualTo(403);
            HttpResponse<byte[]> first = send(wire, "yes");
            assertThat(first.code()).isEqualTo(201);
            assertThat(first.header("Idempotent-Replayed")).isNull();
            HttpResponse<byte[]> refused = send(wire, "no");
            assertThat(refused.code()).isEqualTo(403);
            assertThat(refused.header("Idempotent-Replayed")).isNull();
            assertThat(send(wire, "yes").header("Idempotent-Replayed")).isEqualTo("true");
        });
    }

    @Test
    void filtersBehindTheClaimAreNamedAtStartUp() {
        assertThat(warnings(Map.of("test.gate", "last", "idempotency.http.filter-order", 1000)))
                .singleElement()
                .asString()
                .contains(Last.class.getName() + "#look", "/plain/**", "1000", "idempotency.http.filter-order");
        assertThat(warnings(Map.of("test.gate", "older-last", "idempotency.http.filter-order", 1000)))
                .singleElement()
                .asString()
                .contains(OlderLast.class.getName());
        assertThat(warnings(Map.of("test.gate", "lowest"))).isEmpty();
    }

    private static List<String> warnings(Map<String, Object> properties) {
        try (LogLines log = LogLines.of(FilterReport.class)) {
            serve(properties, wire -> {});
            return log.messages();
        }
    }

    private static @Nullable MutableHttpResponse<?> refusal(HttpRequest<?> request) {
        return "no".equals(request.getHeaders().get("X-Allowed")) ? HttpResponse.status(HttpStatus.FORBIDDEN) : null;
    }

    /** Without an order, registered before or after the library's filters. */
    @ServerFilter("/plain/**")
    @Requires(property = "test.gate", value = "a-natural")
    static class ANatural {
        @RequestFilter
        @Nullable
        HttpResponse<?> look(HttpRequest<?> request) {
            return refusal(request);
        }
    }

    /** The same. */
    @ServerFilter("/plain/*")
    @Requires(property = "test.gate", value = "z-natural")
    static class ZNatural extends ANatural {
        @Override
        @RequestFilter
        @Nullable
        HttpResponse<?> look(HttpRequest<?> request) {
            return refusal(request);
        }
    }

    /** For every path. */
    @ServerFilter(Filter.MATCH_ALL_PATTERN)
    @Requires(property = "test.gate", value = "everywhere")
    static class Everywhere {
        @RequestFilter
        @Nullable
        HttpResponse<?> look(HttpRequest<?> request) {
            return refusal(request);
        }
    }

    /** In the last phase. */
    @ServerFilter("/plain/**")
    @Order(59_000)
    @Requires(property = "test.gate", value = "last")
    static class Last {
        @RequestFilter
        @Nullable
        HttpResponse<?> look(HttpRequest<?> request) {
            return refusal(request);
        }
    }

    /** As late as can be. */
    @ServerFilter("/plain/**")
    @Requires(property = "test.gate", value = "lowest")
    static class Lowest implements Ordered {
        @RequestFilter
        @Nullable
        HttpResponse<?> look(HttpRequest<?> request) {
            return refusal(request);
        }

        @Override
        public int getOrder() {
            return LOWEST_PRECEDENCE;
        }
    }

    /** Of the older kind. */
    @Filter("/plain/**")
    @Requires(property = "test.gate", value = "older")
    static class Older implements HttpServerFilter {
        @Override
        public Publisher<MutableHttpResponse<?>> doFilter(HttpRequest<?> request, ServerFilterChain chain) {
            MutableHttpResponse<?> refusal = refusal(request);
            return refusal == null ? chain.proceed(request) : Mono.just(refusal);
        }
    }

    /** The same in the last phase. */
    @Filter("/plain/**")
    @Requires(property = "test.gate", value = "older-last")
    static class OlderLast extends Older {
        @Override
        public int getOrder() {
            return ServerFilterPhase.LAST.after();
        }
    }
}
