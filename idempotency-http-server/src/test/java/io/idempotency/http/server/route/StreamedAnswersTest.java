package io.idempotency.http.server.route;

import static io.idempotency.http.server.Wire.post;
import static io.idempotency.http.server.Wire.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.IdempotentOperation;
import io.idempotency.http.server.Wire;
import io.micronaut.context.annotation.Property;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Produces;
import io.micronaut.http.client.HttpClient;
import io.micronaut.http.client.annotation.Client;
import io.micronaut.http.server.types.files.StreamedFile;
import io.micronaut.http.sse.Event;
import io.micronaut.runtime.server.EmbeddedServer;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import jakarta.inject.Inject;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Sinks;

/**
 * Answers that come piece by piece. Where the compiler can see one it refuses it; what it cannot see is passed on as it comes, is
 * not kept, and spends its key.
 */
@MicronautTest
@Property(name = "test.streamed", value = "true")
@Property(name = "idempotency.http.routes.streamed-configured.path", value = "/streamed/configured/**")
class StreamedAnswersTest {

    @Inject
    @Client("/streamed")
    HttpClient client;

    @Inject
    EmbeddedServer server;

    @Inject
    StreamedController controller;

    private final String key = UUID.randomUUID().toString();

    @Controller("/streamed")
    @Requires(property = "test.streamed")
    static class StreamedController {
        final AtomicInteger bodies = new AtomicInteger();
        volatile Sinks.Many<Event<String>> events = Sinks.many().unicast().onBackpressureBuffer();

        @Post("/annotated/{kind}")
        @IdempotentOperation("streamed-annotated")
        HttpResponse<?> annotated(@PathVariable String kind, @Body String body) {
            return answer(kind);
        }

        @Post("/configured/{kind}")
        HttpResponse<?> configured(@PathVariable String kind, @Body String body) {
            return answer(kind);
        }

        @Post("/configured/events")
        @Produces(MediaType.TEXT_EVENT_STREAM)
        Flux<Event<String>> events(@Body String body) {
            bodies.incrementAndGet();
            return events.asFlux();
        }

        private HttpResponse<?> answer(String kind) {
            String content = "body " + bodies.incrementAndGet();
            InputStream stream = new ByteArrayInputStream(content.getBytes(StandardCharsets.UTF_8));
            return HttpResponse.ok(
                    switch (kind) {
                        case "flux" -> Flux.just(content);
                        case "input" -> stream;
                        default -> new StreamedFile(stream, MediaType.TEXT_PLAIN_TYPE);
                    });
        }
    }

    @BeforeEach
    void reset() {
        controller.bodies.set(0);
    }

    private void isSpent(String path) {
        HttpResponse<byte[]> again = new Wire(client).send(post(path, "\"a\"").header("Idempotency-Key", key));
        assertThat(again.code()).isEqualTo(409);
        assertThat(text(again)).contains("\"code\":\"result-unavailable\"", "\"executed\":\"yes\"");
        assertThat(controller.bodies).hasValue(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"annotated", "configured"})
    void whatCanBeReadOnceOnlyIsSentOnceAndNotKept(String protection) {
        for (String kind : new String[] {"flux", "input", "file"}) {
            controller.bodies.set(0);
            String path = "/" + protection + "/" + kind;
            HttpResponse<byte[]> first =
                    new Wire(client).send(post(path, "\"a\"").header("Idempotency-Key", key + kind));
            assertThat(text(first)).as(kind).contains("body 1");
            HttpResponse<byte[]> again =
                    new Wire(client).send(post(path, "\"a\"").header("Idempotency-Key", key + kind));
            assertThat(text(again)).as(kind).contains("\"code\":\"result-unavailable\"", "\"executed\":\"yes\"");
            assertThat(controller.bodies).as(kind).hasValue(1);
        }
    }

    @Test
    void eventsAreSentWhenTheyHappenAndARetryIsToldThatTheyWere() throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(server.getURI().resolve("/streamed/configured/events"))
                .header("Content-Type", "application/json")
                .header("Idempotency-Key", key)
                .POST(BodyPublishers.ofString("\"a\""))
                .build();
        controller.events.tryEmitNext(Event.of("one")).orThrow();
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(
                java.net.http.HttpClient.newHttpClient()
                        .send(request, BodyHandlers.ofInputStream())
                        .body(),
                StandardCharsets.UTF_8))) {
            assertThat(lines.readLine()).isEqualTo("data: one");
            isSpent("/configured/events");
            controller.events.tryEmitNext(Event.of("two")).orThrow();
            controller.events.tryEmitComplete().orThrow();
            assertThat(lines.lines()).contains("data: two");
        }
    }
}
