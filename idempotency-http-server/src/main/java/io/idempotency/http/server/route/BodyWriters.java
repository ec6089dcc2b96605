package io.idempotency.http.server.route;

import io.micronaut.core.type.Argument;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.MediaType;
import io.micronaut.http.MutableHttpResponse;
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

    byte[] write(HttpRequest<?> request, MutableHttpResponse<?> response, Object body) {
        RouteInfo<?> route = RouteAttributes.getRouteInfo(response).orElse(null);
        MediaType type = response.getContentType().orElseGet(() -> standardType(request, route, body));
        response.getHeaders().contentTypeIfMissing(type);
        return write(response, route == null ? null : route.getResponseBodyType(), type, body);
    }

    @SuppressWarnings("unchecked") // a writer is used for what it says that it can write
    private byte[] write(MutableHttpResponse<?> response, @Nullable Argument<?> declared, MediaType type, Object body) {
        Argument<Object> argument = (Argument<Object>) (declared == null ? Argument.ofInstance(body) : declared);
        MessageBodyWriter<Object> writer = (MessageBodyWriter<Object>) response.getBodyWriter()
                .map(own -> (Object) own)
                .orElseGet(() -> registry.findWriter(argument, List.of(type)).orElse(null));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        if (writer != null && argument.isInstance(body) && writer.isWriteable(argument, type)) {
            writer.writeTo(argument, type, body, response.getHeaders(), bytes);
        } else {
            Argument<Object> actual = Argument.ofInstance(body);
            registry.getWriter(actual, List.of(type)).writeTo(actual, type, body, response.getHeaders(), bytes);
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
