package io.idempotency.http.server.route;

import io.idempotency.http.server.ResponseCodecs;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.core.convert.ConversionService;
import io.micronaut.core.type.Argument;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.MutableHttpHeaders;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.body.MediaTypeProvider;
import io.micronaut.http.body.MessageBodyHandlerRegistry;
import io.micronaut.http.body.MessageBodyWriter;
import io.micronaut.http.server.HttpServerConfiguration;
import io.micronaut.web.router.RouteAttributes;
import io.micronaut.web.router.RouteInfo;
import jakarta.inject.Singleton;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Turns the answer of a route into bytes, which are recorded and sent, so that replays equal the first answer. */
@Singleton
final class RouteResponses {

    private final MessageBodyHandlerRegistry registry;
    private final ResponseCodecs codecs;
    private final ConversionService conversion;
    private final @Nullable NettyStreams streams;
    private final HttpServerConfiguration server;

    RouteResponses(
            MessageBodyHandlerRegistry registry,
            ResponseCodecs codecs,
            ConversionService conversion,
            @Nullable NettyStreams streams,
            HttpServerConfiguration server) {
        this.registry = registry;
        this.codecs = codecs;
        this.conversion = conversion;
        this.streams = streams;
        this.server = server;
    }

    /** A recorded answer, with what the server adds to the answers of routes and not to those of filters. */
    HttpResponse<?> replayed(HttpResponse<?> answer) {
        MutableHttpResponse<?> response = answer.toMutableResponse();
        MutableHttpHeaders headers = response.getHeaders();
        if (server.isDateHeader()) {
            headers.set(
                    HttpHeaders.DATE, DateTimeFormatter.RFC_1123_DATE_TIME.format(OffsetDateTime.now(ZoneOffset.UTC)));
        }
        server.getServerHeader().ifPresent(name -> headers.set(HttpHeaders.SERVER, name));
        return response;
    }

    /** A recorded answer to an exception. */
    HttpResponse<?> replayed(String operation, byte[] recorded) {
        try {
            return replayed((HttpResponse<?>)
                    Objects.requireNonNull(codecs.of(operation).decode(recorded)));
        } catch (IOException e) {
            throw new UncheckedIOException("The recorded answer to the first request could not be read", e);
        }
    }

    /** What is recorded of an answer that is recordable. */
    byte[] encoded(String operation, HttpResponse<?> answer) throws IOException {
        return codecs.of(operation).encode(answer);
    }

    /**
     * Returns the answer with bytes as its body. A stream or a file is passed on and not kept.
     *
     * @param most how many bytes of a stream are waited for
     */
    CompletionStage<HttpResponse<?>> recordable(HttpRequest<?> request, HttpResponse<?> response, int most) {
        Object body = response.body();
        if (body != null && ResponseCodecs.isSentOnce(body)) {
            return CompletableFuture.completedFuture(response);
        }
        CompletionStage<Object> streamed = body == null && streams != null ? streams.bodyOf(response, most) : null;
        MutableHttpResponse<Object> own = withoutBody(response);
        if (streamed != null) {
            return streamed.thenApply(own::body);
        }
        return CompletableFuture.completedFuture(own.body(
                body == null || body instanceof byte[] ? body : written(request, response, own.getHeaders(), body)));
    }

    /**
     * Copies the head, because the application may use its answer again. The attributes are left
     * out: they name the route, whose writers are not for bytes.
     */
    private static MutableHttpResponse<Object> withoutBody(HttpResponse<?> answer) {
        MutableHttpResponse<Object> own = HttpResponse.status(answer.code(), answer.reason());
        answer.getHeaders().forEachValue((name, value) -> {
            if (!name.equalsIgnoreCase(HttpHeaders.CONTENT_LENGTH)
                    && !name.equalsIgnoreCase(HttpHeaders.TRANSFER_ENCODING)) {
                own.getHeaders().add(name, value);
            }
        });
        return own;
    }

    /**
     * Writes a body as the server would a moment later.
     *
     * @param headers those of the answer, to which its content type is added where it has none
     */
    @SuppressWarnings("unchecked") // a writer is used for what it says that it can write
    private byte[] written(HttpRequest<?> request, HttpResponse<?> response, MutableHttpHeaders headers, Object body) {
        RouteInfo<?> route = RouteAttributes.getRouteInfo(response).orElse(null);
        MediaType type = headers.contentType().orElseGet(() -> standardType(request, route, body));
        headers.contentTypeIfMissing(type);
        Argument<Object> actual = Argument.ofInstance(body);
        Argument<Object> declared = route == null ? actual : (Argument<Object>) route.getResponseBodyType();
        MessageBodyWriter<Object> writer = (MessageBodyWriter<Object>) response.toMutableResponse()
                .getBodyWriter()
                .map(own -> (Object) own)
                .orElseGet(() -> registry.findWriter(declared, List.of(type)).orElse(null));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        if (writer != null && declared.isInstance(body) && writer.isWriteable(declared, type)) {
            writer.writeTo(declared, type, body, headers, bytes);
        } else {
            registry.getWriter(actual, List.of(type)).writeTo(actual, type, body, headers, bytes);
        }
        return bytes.toByteArray();
    }

    private static MediaType standardType(HttpRequest<?> request, @Nullable RouteInfo<?> route, Object body) {
        if (body instanceof MediaTypeProvider provider) {
            return provider.getMediaType();
        }
        List<MediaType> produced = route == null ? List.of() : route.getProduces();
        return request.accept().stream()
                .findFirst()
                .filter(produced::contains)
                .orElse(produced.isEmpty() ? MediaType.APPLICATION_JSON_TYPE : produced.get(0));
    }

    static boolean isPublisher(@Nullable Object body) {
        return body != null && Argument.of(body.getClass()).isReactive();
    }

    /** Records the end of a stream. */
    interface StreamEnd {
        CompletionStage<?> record(@Nullable Throwable failure);
    }

    /**
     * Returns the answer with its stream, for one subscriber. The work of a route that returns a
     * stream begins with the subscription and is over when the stream is. Where no subscriber comes
     * in time, it is not started any more: a filter may have put another body in its place.
     *
     * @param shown what the client gets of a failure
     * @param end records the end of the stream: null, or its failure. The subscriber hears of the
     *     end when it is recorded
     */
    HttpResponse<?> watched(
            HttpResponse<?> response, Duration patience, UnaryOperator<Throwable> shown, StreamEnd end) {
        CompletableFuture<Boolean> begun = new CompletableFuture<>();
        begun.completeOnTimeout(false, patience.toMillis(), TimeUnit.MILLISECONDS)
                .thenAccept(read -> {
                    if (!read) {
                        end.record(new CancellationException("the stream was not read"));
                    }
                });
        Publisher<?> body = conversion.convertRequired(response.body(), Publisher.class);
        Flux<?> stream = Flux.usingWhen(
                Mono.fromCallable(() -> {
                    if (!begun.complete(true)) {
                        throw new IllegalStateException("This answer is read already, or was waited for in vain. Its"
                                + " stream was not started.");
                    }
                    return body;
                }),
                content -> Flux.from(content).onErrorMap(shown),
                content -> Mono.fromFuture(end.record(null).toCompletableFuture(), true),
                (content, failure) -> Mono.fromRunnable(() -> end.record(failure)),
                content -> Mono.fromRunnable(
                        () -> end.record(new CancellationException("the stream was not read to its end"))));
        return response.toMutableResponse().body(stream);
    }
}
