package io.idempotency.http.server.route;

import static io.idempotency.http.server.Wire.post;
import static io.idempotency.http.server.Wire.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idempotency.IdempotentOperation;
import io.idempotency.Refusal;
import io.idempotency.http.server.Wire;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.RecordState;
import io.idempotency.runtime.store.StoredResult;
import io.micronaut.context.annotation.Property;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Produces;
import io.micronaut.http.annotation.ResponseFilter;
import io.micronaut.http.annotation.ServerFilter;
import io.micronaut.http.client.HttpClient;
import io.micronaut.http.client.annotation.Client;
import io.micronaut.http.exceptions.HttpStatusException;
import io.micronaut.http.server.types.files.StreamedFile;
import io.micronaut.http.sse.Event;
import io.micronaut.runtime.server.EmbeddedServer;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import jakarta.inject.Inject;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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
@Property(name = "idempotency.http.routes.streamed-unread.path", value = "/streamed/configured-unread/**")
@Property(name = "idempotency.operations.streamed-unread.lease", value = "1s")
@Property(name = "idempotency.operations.streamed-unread.no-effect-for", value = StreamedAnswersTest.CANCELLED)
@Property(name = "idempotency.operations.streamed-configured.no-effect-for", value = StreamedAnswersTest.CANCELLED)
class StreamedAnswersTest {

    /** What the body throws may say so; that an answer was not read is this library's to say. */
    static final String CANCELLED = "java.util.concurrent.CancellationException";

    @Inject
    @Client("/streamed")
    HttpClient client;

    @Inject
    EmbeddedServer server;

    @Inject
    StreamedController controller;

    @Inject
    @Named("memory")
    IdempotencyStore store;

    private final String key = UUID.randomUUID().toString();

    /** Puts another body in the place of a stream. */
    @ServerFilter("/streamed/configured-unread/**")
    @Requires(property = "test.streamed")
    static class Discarding {
        @ResponseFilter
        void discard(MutableHttpResponse<?> response) {
            if (response.code() == 200) {
                response.body("another body");
            }
        }
    }

    @Controller("/streamed")
    @Requires(property = "test.streamed")
    static class StreamedController {
        final AtomicInteger bodies = new AtomicInteger();
        final AtomicInteger subscribed = new AtomicInteger();
        final Below below;
        volatile Sinks.Many<Event<String>> events = Sinks.many().unicast().onBackpressureBuffer();

        StreamedController(Below below) {
            this.below = below;
        }

        @Post("/annotated/{kind}")
        @IdempotentOperation("streamed-annotated")
        HttpResponse<?> annotated(@PathVariable String kind, @Body String body) {
            return answer(kind);
        }

        @Post("/configured/{kind}")
        HttpResponse<?> configured(@PathVariable String kind, @Body String body) {
            return answer(kind);
        }

        /** Reserves what its stream then charges. */
        @Post("/configured/reserved/{key}")
        @ExecuteOn(TaskExecutors.BLOCKING)
        Flux<String> reserved(@PathVariable String key, @Body String body) {
            below.reserve(key);
            return Flux.just("charged");
        }

        @Post("/configured/events")
        @Produces(MediaType.TEXT_EVENT_STREAM)
        Flux<Event<String>> events(@Body String body) {
            bodies.incrementAndGet();
            return events.asFlux();
        }

        @Post("/configured-unread/flux")
        Flux<String> unread(@Body String body) {
            bodies.incrementAndGet();
            return Flux.just("unread").doOnSubscribe(subscription -> subscribed.incrementAndGet());
        }

        private HttpResponse<?> answer(String kind) {
            String content = "body " + bodies.incrementAndGet();
            InputStream stream = new ByteArrayInputStream(content.getBytes(StandardCharsets.UTF_8));
            return HttpResponse.ok(
                    switch (kind) {
                        case "flux" -> Flux.just(content);
                        case "input" -> stream;
                        case "throws-429" -> Flux.error(new HttpStatusException(HttpStatus.TOO_MANY_REQUESTS, "429"));
                        case "throws-503" -> Flux.error(new HttpStatusException(HttpStatus.SERVICE_UNAVAILABLE, "503"));
                        case "throws-410" -> Flux.error(new HttpStatusException(HttpStatus.GONE, "410"));
                        case "throws" -> Flux.error(new IllegalStateException("broken"));
                        case "times-out" -> Flux.error(new TimeoutException("broken"));
                        case "refused" ->
                            Flux.error(Refusal.STORE_UNAVAILABLE.exception("inner", "0".repeat(64), "away", null));
                        default -> new StreamedFile(stream, MediaType.TEXT_PLAIN_TYPE);
                    });
        }
    }

    /** What the routes call. */
    @Singleton
    @Requires(property = "test.streamed")
    static class Below {
        @IdempotentOperation(value = "streamed-below", key = "key")
        public void reserve(String key) {}
    }

    @BeforeEach
    void reset() {
        controller.bodies.set(0);
        controller.subscribed.set(0);
        controller.events = Sinks.many().unicast().onBackpressureBuffer();
    }

    private HttpResponse<byte[]> again(String path) {
        return new Wire(client).send(post(path, "\"a\"").header("Idempotency-Key", key));
    }

    private void isSpent(String path) {
        HttpResponse<byte[]> again = again(path);
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
            assertThat(first.header("Idempotency-Status"))
                    .as("with the stream of a configured route the work goes on: " + path)
                    .isEqualTo("executed;key=" + (path.equals("/configured/flux") ? "in-doubt" : "settled"));
            HttpResponse<byte[]> again =
                    new Wire(client).send(post(path, "\"a\"").header("Idempotency-Key", key + kind));
            assertThat(text(again)).as(kind).contains("\"code\":\"result-unavailable\"", "\"executed\":\"yes\"");
            assertThat(controller.bodies).as(kind).hasValue(1);
        }
        assertThat(store.list(RecordState.COMPLETED, Duration.ZERO, 100))
                .filteredOn(record -> record.operation().equals("streamed-" + protection))
                .allSatisfy(record -> assertThat(((StoredResult.Omitted) record.result()).reason())
                        .as("what operators read")
                        .containsAnyOf("the response is a stream", "can be read once only"));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aCallThatWasMadeBeforeAStreamDoesNotSpeakForIt(boolean replayed) {
        if (replayed) {
            controller.below.reserve(key);
        }
        HttpResponse<byte[]> response = again("/configured/reserved/" + key);
        assertThat(text(response)).contains("charged");
        assertThat(response.header("Idempotency-Status")).isEqualTo("executed;key=in-doubt");
        assertThat(response.header("Idempotent-Replayed")).isNull();
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
            assertThat(text(again("/configured/events"))).contains("\"code\":\"in-progress\"");
            controller.events.tryEmitNext(Event.of("two")).orThrow();
            controller.events.tryEmitComplete().orThrow();
            assertThat(lines.lines()).contains("data: two");
        }
        await().untilAsserted(() -> isSpent("/configured/events"));
    }

    /** The work is in the stream: before its end nobody may say that it was done. */
    @ParameterizedTest
    @CsvSource({
        "throws-429, 429, 429",
        "throws-503, 503, outcome-unknown",
        "throws-410, 410, 410",
        "throws, 500, previous-attempt-failed",
        "times-out, 500, outcome-unknown",
        "refused, 500, outcome-unknown"
    })
    void aStreamThatFailsIsAFailureOfTheRoute(String kind, int status, String then) {
        String path = "/configured/" + kind;
        assertThat(again(path).code()).isEqualTo(status);
        await().until(() -> !text(again(path)).contains("in-progress"));
        int bodies = controller.bodies.get();
        HttpResponse<byte[]> retry = again(path);
        assertThat(retry.code() + text(retry)).contains(then);
        // only 429 says that nothing was done
        assertThat(controller.bodies).hasValue(then.equals("429") ? bodies + 1 : 1);
    }

    @Test
    void aStreamThatNobodyReadsToItsEndLeavesOpenWhatWasDone() throws IOException {
        controller.events.tryEmitNext(Event.of("one")).orThrow();
        try (Socket socket = new Socket("127.0.0.1", server.getPort())) {
            socket.getOutputStream()
                    .write(("POST /streamed/configured/events HTTP/1.1\r\nHost: localhost\r\nContent-Type:"
                                    + " application/json\r\nContent-Length: 3\r\nIdempotency-Key: " + key
                                    + "\r\n\r\n\"a\"")
                            .getBytes(StandardCharsets.US_ASCII));
            assertThat(socket.getInputStream().read()).isPositive();
        }
        await().untilAsserted(() -> assertThat(text(again("/configured/events")))
                .contains("\"code\":\"outcome-unknown\"", "\"executed\":\"unknown\""));
        assertThat(controller.bodies).hasValue(1);
    }

    @Test
    void aStreamThatAFilterThrewAwayIsNotStartedAndNotHeldForEver() {
        assertThat(text(again("/configured-unread/flux"))).isEqualTo("another body");
        assertThat(text(again("/configured-unread/flux")))
                .containsAnyOf("in-progress", "outcome-unknown"); // soon or late
        await().untilAsserted(() ->
                assertThat(text(again("/configured-unread/flux"))).contains("\"code\":\"outcome-unknown\""));
        assertThat(controller.bodies).hasValue(1);
        assertThat(controller.subscribed).hasValue(0);
    }
}
