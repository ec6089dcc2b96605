package io.idempotency.http.server.route;

import static io.idempotency.http.server.Wire.post;
import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.IdempotentOperation;
import io.idempotency.http.server.Wire;
import io.micronaut.context.annotation.Property;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.client.HttpClient;
import io.micronaut.http.client.annotation.Client;
import io.micronaut.http.cookie.Cookie;
import io.micronaut.http.server.exceptions.ExceptionHandler;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.publisher.Flux;

/** Answers as few routes give them: the replay is the same, or says that there is none, and nothing runs twice. */
@MicronautTest
@Property(name = "test.odd-answers", value = "true")
@Property(name = "idempotency.http.routes.odd-answers.path", value = "/odd-answers/configured/**")
@Property(name = "idempotency.http.routes.odd-answers-around.path", value = "/odd-answers/both/**")
class OddAnswersTest {

    @Inject
    @Client("/odd-answers")
    HttpClient client;

    @Inject
    OddAnswers controller;

    private final String key = UUID.randomUUID().toString();

    /** Its handler throws. */
    static class Unhandled extends RuntimeException {}

    /** Its handler answers with a stream. */
    static class Streamed extends RuntimeException {}

    @Singleton
    @Requires(property = "test.odd-answers")
    static class ThrowingHandler implements ExceptionHandler<Unhandled, HttpResponse<?>> {
        @Override
        @SuppressWarnings("rawtypes") // as the interface declares it
        public HttpResponse<?> handle(HttpRequest request, Unhandled exception) {
            throw new IllegalStateException("the handler broke");
        }
    }

    @Singleton
    @Requires(property = "test.odd-answers")
    static class StreamingHandler implements ExceptionHandler<Streamed, HttpResponse<?>> {
        @Override
        @SuppressWarnings("rawtypes") // as the interface declares it
        public HttpResponse<?> handle(HttpRequest request, Streamed exception) {
            return HttpResponse.status(HttpStatus.GONE).body(Flux.just("a", "b"));
        }
    }

    @Controller("/odd-answers")
    @Requires(property = "test.odd-answers")
    static class OddAnswers {
        final AtomicInteger bodies = new AtomicInteger();

        @Post("/annotated/{kind}")
        @IdempotentOperation("odd-answers-annotated")
        @Nullable
        HttpResponse<?> annotated(@PathVariable String kind) {
            return answer(kind);
        }

        @Post("/configured/{kind}")
        @Nullable
        HttpResponse<?> configured(@PathVariable String kind) {
            return answer(kind);
        }

        /** Under its annotation and under a pattern that covers it too. */
        @Post("/both/{kind}")
        @IdempotentOperation("odd-answers-both")
        @Nullable
        HttpResponse<?> both(@PathVariable String kind) {
            return answer(kind);
        }

        private @Nullable HttpResponse<?> answer(String kind) {
            int run = bodies.incrementAndGet();
            return switch (kind) {
                case "nothing" -> HttpResponse.noContent();
                case "not-modified" -> HttpResponse.notModified();
                case "own-status" -> HttpResponse.status(299, "Own").body("own " + run);
                case "latin" -> HttpResponse.ok("\u00e9" + run).contentType("text/plain;charset=ISO-8859-1");
                case "cookie" -> HttpResponse.ok("run " + run).cookie(Cookie.of("session", "secret"));
                case "tagged" -> HttpResponse.ok("run " + run).header("ETag", "\"1\"");
                case "handler-throws" -> throw new Unhandled();
                case "handler-streams" -> throw new Streamed();
                case "overflow" -> throw new StackOverflowError();
                default -> null;
            };
        }
    }

    private HttpResponse<byte[]> send(String path) {
        return new Wire(client)
                .send(post(path, "{}")
                        .header("Idempotency-Key", key)
                        .header("If-None-Match", "\"1\"")
                        .header("Range", "bytes=0-1"));
    }

    @ParameterizedTest
    @CsvSource({
        "nothing, 204, 204",
        "not-modified, 304, 304",
        "own-status, 299, 299",
        "latin, 200, 200",
        "cookie, 200, 200",
        "tagged, 200, 200",
        "null, 404, 404",
        "handler-throws, 500, 500",
        "handler-streams, 410, 409",
        "overflow, 500, 409"
    })
    void theyAreReplayedOrSaidNotToBeThere(String kind, int status, int again) {
        for (String way : new String[] {"annotated", "configured", "both"}) {
            controller.bodies.set(0);
            HttpResponse<byte[]> first = send("/" + way + "/" + kind);
            HttpResponse<byte[]> second = send("/" + way + "/" + kind);
            assertThat(first.code()).as(way).isEqualTo(status);
            assertThat(second.code()).as(way).isEqualTo(again);
            if (kind.equals("handler-throws")) {
                assertThat(Wire.text(second)).as(way).contains("previous-attempt-failed");
            } else if (status == again) {
                assertThat(bytes(second)).as(way).isEqualTo(bytes(first));
                assertThat(second.getContentType().map(MediaType::toString))
                        .isEqualTo(first.getContentType().map(MediaType::toString));
                assertThat(second.header("Idempotent-Replayed")).isEqualTo("true");
                assertThat(second.header("Set-Cookie")).isNull();
            } else {
                assertThat(second.header("Idempotency-Status")).contains("refused;", "retry=never");
            }
            assertThat(controller.bodies).as(way).hasValue(1);
        }
    }

    private static String bytes(HttpResponse<byte[]> response) {
        return new String(response.getBody().orElse(new byte[0]), StandardCharsets.ISO_8859_1);
    }
}
