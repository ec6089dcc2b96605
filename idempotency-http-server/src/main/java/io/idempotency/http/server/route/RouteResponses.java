package io.idempotency.http.server.route;

import io.idempotency.http.server.ResponseCodecs;
import io.idempotency.runtime.failure.KnownFailures;
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
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Writes the answer of a route as bytes to record and to send, so that replays equal the first answer. */
@Singleton
record RouteResponses(
        MessageBodyHandlerRegistry registry,
        ResponseCodecs codecs,
        ConversionService conversion,
        @Nullable NettyStreams streams,
        HttpServerConfiguration server) {

    /** Adds the headers that the server adds to answers of routes but not of filters. */
    HttpResponse<?> replayed(HttpResponse<?> answer) {
        MutableHttpResponse<?> response = answer.toMutableResponse();
        MutableHttpHeaders headers = response.getHeaders();
        if (server.isDateHeader()) {
            headers.add(HttpHeaders.DATE, ZonedDateTime.now(ZoneOffset.UTC));
        }
        server.getServerHeader().ifPresent(name -> headers.set(HttpHeaders.SERVER, name));
        return response;
    }

    HttpResponse<?> replayed(String operation, byte[] recorded) {
        try {
            return replayed((HttpResponse<?>)
                    Objects.requireNonNull(codecs.of(operation).decode(recorded)));
        } catch (IOException e) {
            throw new UncheckedIOException("The recorded answer to the first request could not be read", e);
        }
    }

    /** Returns the answer with bytes as its body. A file or a longer stream is passed on and not kept. */
    CompletionStage<HttpResponse<?>> recordable(HttpRequest<?> request, HttpResponse<?> response, int most) {
        Object body = response.body();
        if (body == null) {
            return whole(response, most);
        } else if (ResponseCodecs.isSentOnce(body)) {
            return CompletableFuture.completedFuture(response);
        }
        MutableHttpResponse<Object> own = withoutBody(response);
        return CompletableFuture.completedFuture(
                own.body(body instanceof byte[] ? body : written(request, response, own.getHeaders(), body)));
    }

    /** Returns an answer with the bytes that another system sends, or with their stream where it is long or of events. */
    CompletionStage<HttpResponse<?>> whole(HttpResponse<?> given, int most) {
        HttpResponse<?> response = withEvents(given);
        CompletionStage<Object> body =
                response.body() == null && streams != null ? streams.bodyOf(response, most) : null;
        return body == null ? CompletableFuture.completedFuture(response) : body.thenApply(withoutBody(response)::body);
    }

    /** Returns an answer that another system streams without an end in sight with that stream as its body. */
    HttpResponse<?> withEvents(HttpResponse<?> response) {
        boolean events = response.getContentType()
                .filter(MediaType.TEXT_EVENT_STREAM_TYPE::equals)
                .isPresent();
        Publisher<byte[]> stream =
                events && response.body() == null && streams != null ? NettyStreams.streamOf(response) : null;
        return stream == null ? response : withoutBody(response).body(stream);
    }

    /** Copies the head without the attributes, which name the route: its writers are not for bytes. */
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

    /** Writes a body as the server would, and adds its content type to the headers where they have none. */
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

    /** Records the end of a stream; {@code sent} tells whether a part of it was sent, as a success. */
    interface StreamEnd {
        CompletionStage<?> record(@Nullable Throwable failure, boolean sent);
    }

    /**
     * Returns the answer with its stream, for one subscriber. The stream's end is recorded before the subscriber sees
     * it. Without a subscriber in time, because a filter replaced the body, the stream is never started.
     */
    HttpResponse<?> watched(
            HttpResponse<?> response, Duration patience, UnaryOperator<Throwable> shown, StreamEnd end) {
        CompletableFuture<Boolean> begun = new CompletableFuture<>();
        begun.completeOnTimeout(false, patience.toMillis(), TimeUnit.MILLISECONDS)
                .thenAccept(read -> {
                    if (!read) {
                        end.record(new KnownFailures.CutOff("the stream was not read"), false);
                    }
                });
        AtomicBoolean sent = new AtomicBoolean();
        Publisher<?> body = conversion.convertRequired(response.body(), Publisher.class);
        Flux<?> stream = Flux.usingWhen(
                Mono.fromCallable(() -> {
                    if (!begun.complete(true)) {
                        throw new IllegalStateException("This answer is read already, or was waited for in vain. Its"
                                + " stream was not started.");
                    }
                    return body;
                }),
                content -> Flux.from(content).doOnNext(part -> sent.set(true)).onErrorMap(shown),
                content -> Mono.fromFuture(end.record(null, true).toCompletableFuture(), true),
                (content, failure) ->
                        Mono.fromFuture(end.record(failure, sent.get()).toCompletableFuture(), true),
                content -> Mono.fromRunnable(
                        () -> end.record(new KnownFailures.CutOff("the stream was not read to its end"), true)));
        return response.toMutableResponse().body(stream);
    }
}
