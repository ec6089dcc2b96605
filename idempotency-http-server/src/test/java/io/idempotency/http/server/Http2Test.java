package io.idempotency.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.IdempotentOperation;
import io.micronaut.context.annotation.Property;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Post;
import io.micronaut.runtime.server.EmbeddedServer;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import jakarta.inject.Inject;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Many streams of one connection, which the client upgrades to HTTP/2 without TLS. */
@MicronautTest
@Property(name = "test.http2", value = "true")
@Property(name = "micronaut.server.http-version", value = "2.0")
@Property(name = "idempotency.http.routes.http2-configured.path", value = "/http2/configured")
class Http2Test {

    private static final int STREAMS = 20;

    @Inject
    EmbeddedServer server;

    @Inject
    Http2Controller controller;

    private final HttpClient client =
            HttpClient.newBuilder().version(Version.HTTP_2).build();
    private final String key = UUID.randomUUID().toString();

    /** Bodies that end when a test wants it. */
    @Controller("/http2")
    @Requires(property = "test.http2")
    static class Http2Controller {
        final AtomicInteger bodies = new AtomicInteger();
        volatile CompletableFuture<String> result = new CompletableFuture<>();

        @Post("/annotated")
        @IdempotentOperation("http2-annotated")
        CompletionStage<String> annotated(@Body String body) {
            bodies.incrementAndGet();
            return result;
        }

        @Post("/configured")
        CompletionStage<String> configured(@Body String body) {
            bodies.incrementAndGet();
            return result;
        }

        @Post("/plain")
        String plain() {
            return "plain";
        }
    }

    /** The first request upgrades the connection, and all others use it. */
    @BeforeEach
    void upgrade() throws IOException, InterruptedException {
        controller.bodies.set(0);
        controller.result = new CompletableFuture<>();
        assertThat(client.send(request("plain"), BodyHandlers.ofString()).version())
                .isEqualTo(Version.HTTP_2);
    }

    private HttpRequest request(String path, String... keys) {
        HttpRequest.Builder request = HttpRequest.newBuilder(server.getURI().resolve("/http2/" + path))
                .header("Content-Type", "application/json")
                .timeout(Duration.ofMinutes(1))
                .POST(BodyPublishers.ofString("\"a\""));
        for (String each : keys) {
            request.header("idempotency-key", each);
        }
        return request.build();
    }

    private CompletableFuture<HttpResponse<String>> send(String path, String... keys) {
        return client.sendAsync(request(path, keys), BodyHandlers.ofString());
    }

    private static ConditionFactory soon() {
        return Awaitility.await().atMost(Duration.ofSeconds(50));
    }

    private void isReplayed(String path) {
        HttpResponse<String> replay = send(path, key).join();
        assertThat(replay.statusCode()).isEqualTo(200);
        assertThat(replay.body()).isEqualTo("done");
        assertThat(replay.headers().firstValue("Idempotent-Replayed")).contains("true");
        assertThat(replay.version()).isEqualTo(Version.HTTP_2);
        assertThat(controller.bodies).hasValue(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"annotated", "configured"})
    void ofManyStreamsWithOneKeyOneRunsAndTheOthersAreToldSo(String path) {
        List<CompletableFuture<HttpResponse<String>>> all =
                Stream.generate(() -> send(path, key)).limit(STREAMS).toList();
        soon().until(() -> all.stream().filter(CompletableFuture::isDone).count() == STREAMS - 1);
        controller.result.complete("done");
        assertThat(all.stream().map(each -> each.join().statusCode()))
                .containsOnly(200, 409)
                .containsOnlyOnce(200);
        isReplayed(path);
    }

    @ParameterizedTest
    @ValueSource(strings = {"annotated", "configured"})
    void aStreamThatIsResetWhileItsBodyRunsLeavesTheBodyRunning(String path) {
        CompletableFuture<HttpResponse<String>> first = send(path, key);
        soon().untilAtomic(controller.bodies, org.hamcrest.Matchers.is(1));
        first.cancel(true);
        assertThat(send(path, key).join().statusCode()).isEqualTo(409);
        controller.result.complete("done");
        soon().until(() -> send(path, key).join().statusCode() == 200);
        isReplayed(path);
    }

    @ParameterizedTest
    @ValueSource(strings = {"annotated", "configured"})
    void twoFieldsWithKeysAreOneMistake(String path) {
        assertThat(send(path, key, key).join().statusCode()).isEqualTo(400);
        assertThat(controller.bodies).hasValue(0);
    }
}
