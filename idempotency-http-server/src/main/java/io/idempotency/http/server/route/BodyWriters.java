package io.idempotency.http.server.route;

import io.micronaut.core.type.Argument;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.MutableHttpHeaders;
import io.micronaut.http.body.MediaTypeProvider;
import io.micronaut.http.body.MessageBodyHandlerRegistry;
import io.micronaut.http.body.MessageBodyWriter;
import io.micronaut.web.router.RouteAttributes;
import io.micronaut.web.router.RouteInfo;
import jakarta.inject.Singleton;
import java.io.ByteArrayOutputStream;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes the body of a response as the server would a moment later. */
@Singleton
final class BodyWriters {

    private final MessageBodyHandlerRegistry registry;

    BodyWriters(MessageBodyHandlerRegistry registry) {
        this.registry = registry;
    }

    /**
     * Writes a body.
     *
     * @param headers those of the answer, to which its content type is added where it has none
     */
    @SuppressWarnings("unchecked") // a writer is used for what it says that it can write
    byte[] write(HttpRequest<?> request, HttpResponse<?> response, MutableHttpHeaders headers, Object body) {
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
        Collection<MediaType> accepted = request.accept();
        MediaType first = accepted.isEmpty() ? null : accepted.iterator().next();
        if (first != null && produced.contains(first)) {
            return first;
        }
        return produced.isEmpty() ? MediaType.APPLICATION_JSON_TYPE : produced.get(0);
    }
}
