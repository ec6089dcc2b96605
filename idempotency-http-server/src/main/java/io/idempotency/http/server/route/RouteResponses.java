package io.idempotency.http.server.route;

import io.idempotency.http.server.ResponseCodecs;
import io.idempotency.http.server.problem.FailureDocuments;
import io.idempotency.runtime.Effect;
import io.idempotency.runtime.engine.AnsweredFailure;
import io.idempotency.runtime.engine.Operation;
import io.idempotency.runtime.engine.Textless;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.core.async.publisher.Publishers;
import io.micronaut.core.convert.ConversionService;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.server.HttpServerConfiguration;
import io.micronaut.web.router.RouteAttributes;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.InstantSource;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.reactivestreams.Publisher;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Turns the answer of a route into bytes, which are recorded and sent: the first answer and its replays are the same. */
@Singleton
final class RouteResponses {

    private static final String STREAM = "the response is a stream, which is passed on and not kept";

    private static final Logger LOG = LoggerFactory.getLogger(RouteResponses.class);

    private final BodyWriters writers;
    private final ResponseCodecs codecs;
    private final ConversionService conversion;
    private final @Nullable StreamedResponses streams;
    private final @Nullable HttpServerConfiguration server;
    private final FailureDocuments documents;
    private final DateText date = new DateText(InstantSource.system());

    RouteResponses(
            BodyWriters writers,
            ResponseCodecs codecs,
            ConversionService conversion,
            @Nullable StreamedResponses streams,
            @Nullable HttpServerConfiguration server,
            FailureDocuments documents) {
        this.documents = documents;
        this.writers = writers;
        this.codecs = codecs;
        this.conversion = conversion;
        this.streams = streams;
        this.server = server;
    }

    /** A recorded answer, with what the server adds to the answers of routes and not to those of filters. */
    HttpResponse<?> replayed(RouteAnswer answer) {
        MutableHttpResponse<?> response = answer.response().toMutableResponse();
        if (server != null) {
            if (server.isDateHeader()) {
                response.getHeaders().set(HttpHeaders.DATE, date.now());
            }
            server.getServerHeader().ifPresent(name -> response.getHeaders().set(HttpHeaders.SERVER, name));
        }
        return response;
    }

    /** A recorded answer to an exception. */
    HttpResponse<?> replayed(String operation, byte[] recorded) {
        try {
            return replayed(RouteAnswer.of((HttpResponse<?>)
                    Objects.requireNonNull(codecs.of(operation).decode(recorded))));
        } catch (IOException e) {
            throw new UncheckedIOException("The recorded answer to the first request could not be read", e);
        }
    }

    /**
     * An exception with its answer.
     *
     * @param response what the first caller gets
     * @param failure what is recorded
     */
    record Failed(HttpResponse<?> response, AnsweredFailure failure) {}

    /** Whatever goes wrong with the answer: the failure itself is recorded in any case. */
    CompletionStage<Failed> failed(
            HttpRequest<?> request, HttpResponse<?> response, Throwable thrown, Operation operation, AnswerRule rule) {
        Effect effect = rule.effect(response.code());
        boolean mapped = isMapped(response);
        CompletionStage<RouteAnswer> answer;
        try {
            HttpResponse<?> kept = mapped ? response : documents.of(request, operation.name(), response.code());
            answer = recordable(request, kept, operation.policy().maxResultSize());
        } catch (RuntimeException | Error e) {
            answer = CompletableFuture.failedFuture(e);
        }
        return answer.handle((recordable, problem) -> {
            if (problem != null) {
                unrecorded(operation, problem);
                return new Failed(response, new AnsweredFailure(thrown, effect, null));
            }
            byte[] bytes = encoded(operation, recordable).orElse(null);
            return new Failed(mapped ? recordable.response() : response, new AnsweredFailure(thrown, effect, bytes));
        });
    }

    /** An exception that no handler and no method of the application answers becomes a page with its message, made by no method at all. */
    private static boolean isMapped(HttpResponse<?> response) {
        return RouteAttributes.getRouteInfo(response)
                .filter(route -> route.getDeclaringType() != Object.class)
                .isPresent();
    }

    private Optional<byte[]> encoded(Operation operation, RouteAnswer answer) {
        try {
            return answer.unrecorded() == null
                    ? Optional.of(codecs.of(operation.name()).encode(answer.response()))
                    : Optional.empty();
        } catch (IOException | RuntimeException e) {
            unrecorded(operation, e);
            return Optional.empty();
        }
    }

    /** Whoever renders an error page may say in an exception what stands on it. */
    private static void unrecorded(Operation operation, Throwable problem) {
        LOG.warn(
                "Idempotent operation '{}': the answer to a failure could not be recorded; the failure is",
                operation.name(),
                Textless.of(problem));
    }

    /**
     * Makes an answer recordable, if it can be.
     *
     * @param most how many bytes of a stream are waited for
     */
    CompletionStage<RouteAnswer> recordable(HttpRequest<?> request, HttpResponse<?> response, int most) {
        Object body = response.body();
        Publisher<byte[]> stream = streams == null || body != null
                ? null
                : streams.contentOf(response).orElse(null);
        if (stream != null) {
            return collected(response, stream, most);
        }
        if (body == null || body instanceof byte[]) {
            return CompletableFuture.completedFuture(RouteAnswer.of(bytes(response, body)));
        }
        if (ResponseCodecs.isSentOnce(body)) {
            return CompletableFuture.completedFuture(streamed(response));
        }
        MutableHttpResponse<?> mutable = response.toMutableResponse();
        byte[] content = writers.write(request, mutable, body);
        return CompletableFuture.completedFuture(RouteAnswer.of(bytes(mutable, content)));
    }

    static boolean isPublisher(@Nullable Object body) {
        return body != null && Publishers.isConvertibleToPublisher(body);
    }

    Publisher<?> publisher(HttpResponse<?> response) {
        return Publishers.convertToPublisher(conversion, response.body());
    }

    /** An answer whose stream was passed on to its end. */
    static RouteAnswer streamed(HttpResponse<?> response) {
        return new RouteAnswer(response, STREAM);
    }

    private CompletionStage<RouteAnswer> collected(HttpResponse<?> response, Publisher<byte[]> stream, int most) {
        return BufferedPrefix.of(stream, most)
                .thenApply(beginning -> beginning.rest() == null
                        ? RouteAnswer.of(bytes(response, beginning.bytes()))
                        : new RouteAnswer(
                                bytes(response, beginning.all()),
                                "the response has more than the " + most
                                        + " bytes of idempotency.max-result-size and is passed on as it comes"));
    }

    private HttpResponse<?> bytes(HttpResponse<?> response, @Nullable Object body) {
        return BytesResponse.of(response, body, conversion);
    }
}
