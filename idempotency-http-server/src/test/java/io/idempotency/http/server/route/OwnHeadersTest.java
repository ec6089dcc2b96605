package io.idempotency.http.server.route;

import static io.idempotency.http.server.Wire.post;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idempotency.IdempotentOperation;
import io.idempotency.http.server.Wire;
import io.micronaut.context.ApplicationContext;
import io.micronaut.context.annotation.Property;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Error;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.client.HttpClient;
import io.micronaut.http.client.annotation.Client;
import io.micronaut.runtime.server.EmbeddedServer;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import jakarta.inject.Inject;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Header fields that the replays of one operation repeat and those of others do not. */
@MicronautTest
@Property(name = "test.own-headers", value = "true")
@Property(name = "idempotency.http.replayed-headers", value = "X-All")
@Property(name = "idempotency.http.operations.own-headers.replayed-headers", value = "X-Own,Cache-Control")
@Property(name = "idempotency.http.operations.own-headers-later.replayed-headers", value = "x-own,Cache-Control")
@Property(name = "idempotency.http.routes.own-headers-configured.path", value = "/own-headers/configured")
@Property(name = "idempotency.http.operations.own-headers-configured.replayed-headers", value = "X-Own,Cache-Control")
class OwnHeadersTest {

    private static final String PROPERTY = "idempotency.http.operations.own-headers.replayed-headers";

    @Inject
    @Client("/own-headers")
    HttpClient client;

    @Controller("/own-headers")
    @Requires(property = "test.own-headers")
    static class OwnHeadersController {

        @Post("/annotated")
        @IdempotentOperation("own-headers")
        HttpResponse<String> annotated(@Body String body) {
            return answer(body);
        }

        @Post("/other")
        @IdempotentOperation("other-headers")
        HttpResponse<String> other(@Body String body) {
            return answer(body);
        }

        @Post("/thrown")
        @IdempotentOperation("own-headers-later")
        HttpResponse<String> thrown(@Body String body) {
            throw new IllegalArgumentException(body);
        }

        @Post("/configured")
        HttpResponse<String> configured(@Body String body) {
            return answer(body);
        }

        @Error
        HttpResponse<String> mapped(HttpRequest<?> request, IllegalArgumentException thrown) {
            return answer(String.valueOf(thrown.getMessage()));
        }

        private static HttpResponse<String> answer(String body) {
            return HttpResponse.ok(body)
                    .header("X-Own", "own")
                    .header("X-All", "all")
                    .header("X-None", "none")
                    .header("Cache-Control", "private, max-age=60");
        }
    }

    private HttpResponse<byte[]> replay(String path) {
        String key = UUID.randomUUID().toString();
        HttpResponse<byte[]> last = null;
        for (int i = 0; i < 2; i++) {
            last = new Wire(client).send(post(path, "\"{}\"").header("Idempotency-Key", key));
        }
        assertThat(last.header("Idempotent-Replayed")).isEqualTo("true");
        return last;
    }

    @ParameterizedTest
    @ValueSource(strings = {"/annotated", "/thrown", "/configured"})
    void whatIsListedForAnOperationIsRepeatedBesideWhatIsListedForAll(String path) {
        HttpResponse<byte[]> replay = replay(path);
        assertThat(replay.header("X-Own")).isEqualTo("own");
        assertThat(replay.header("X-All")).isEqualTo("all");
        assertThat(replay.header("Cache-Control")).isEqualTo("private, max-age=60");
        assertThat(replay.header("X-None")).isNull();
    }

    @Test
    void otherOperationsDoNotRepeatIt() {
        HttpResponse<byte[]> replay = replay("/other");
        assertThat(replay.header("X-Own")).isNull();
        assertThat(replay.header("X-All")).isEqualTo("all");
        assertThat(replay.header("Cache-Control")).isEqualTo("no-store");
    }

    @Test
    void statusesOfAConfiguredRouteStandWithItsPathAndAreNotIgnoredElsewhere() {
        Map<String, Object> written = Map.of(
                "idempotency.http.routes.own.path", "/own",
                "idempotency.http.operations.own.no-effect-status", "429");
        assertThatThrownBy(() ->
                        ApplicationContext.run(EmbeddedServer.class, written).close())
                .hasStackTraceContaining("Write them as idempotency.http.routes.own.no-effect-status");
    }

    @Test
    void aHeaderOfOneExchangeIsNotConfigurableThereEither() {
        assertThatThrownBy(() ->
                        ApplicationContext.run(Map.of(PROPERTY, "Set-Cookie")).close())
                .hasStackTraceContaining(PROPERTY + ": 'Set-Cookie'");
    }
}
