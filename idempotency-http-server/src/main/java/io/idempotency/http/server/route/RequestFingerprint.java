package io.idempotency.http.server.route;

import io.idempotency.http.server.HttpConfiguration;
import io.idempotency.runtime.call.CallFingerprint;
import io.idempotency.runtime.secrets.FingerprintForms;
import io.idempotency.runtime.store.RecordId;
import io.micronaut.core.version.annotation.Version;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.ServerHttpRequest;
import io.micronaut.http.body.ByteBody.SplitBackpressureMode;
import io.micronaut.http.body.CloseableAvailableByteBody;
import io.micronaut.http.context.ServerRequestContext;
import io.micronaut.http.exceptions.BufferLengthExceededException;
import io.micronaut.http.exceptions.HttpStatusException;
import io.micronaut.web.router.RouteAttributes;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The fingerprint of a request: its method, path, query, content type and the bytes of its body, each
 * with its length in front.
 */
final class RequestFingerprint {

    private static final Logger LOG = LoggerFactory.getLogger(RequestFingerprint.class);

    /** The families of fingerprints; every version of them writes requests alike. */
    private static final String BYTES = "h";

    private static final String JSON = "j";

    /** A larger document would keep an event loop from other requests: 2 MB took up to 0.4 s. */
    private static final int LARGE = 64 * 1024;

    /** RFC 8259 knows no charset but this one. */
    private static final Pattern JSON_TYPE =
            Pattern.compile("\\s*(application/(?:[^;\\s]+\\+)?json)\\s*(?:;\\s*charset\\s*=\\s*\"?utf-8\"?\\s*)?");

    private RequestFingerprint() {}

    /**
     * Takes the fingerprint of the request as the client sent it, whatever filters made of it since.
     * The body is read as a copy, within the server's limits, and stays there for the route. The
     * version of Micronaut's API versioning counts where the request was routed by it: the same key
     * for another version is another request.
     *
     * @param canonicalJson whether JSON counts by its content; what is none counts by its bytes
     * @param blocking reads large JSON documents
     */
    static CompletionStage<CallFingerprint> of(
            HttpRequest<?> request, FingerprintForms forms, boolean canonicalJson, Executor blocking) {
        HttpRequest<?> original = request instanceof ServerHttpRequest<?>
                ? request
                : ServerRequestContext.currentRequest().orElse(null);
        if (!(original instanceof ServerHttpRequest<?> sent)) {
            LOG.error(
                    "A filter replaced the request by a {}, whose body cannot be read twice. The request was not passed on. Set"
                            + " {} below the order of that filter, or protect the route by @IdempotentOperation.",
                    request.getClass().getName(),
                    HttpConfiguration.FILTER_ORDER);
            return CompletableFuture.failedFuture(
                    new HttpStatusException(HttpStatus.INTERNAL_SERVER_ERROR, "The request cannot be read"));
        }
        return sent.byteBody()
                .split(SplitBackpressureMode.FASTEST)
                .buffer()
                .handle((body, failure) -> {
                    if (failure != null) {
                        throw refused(failure);
                    }
                    return body;
                })
                .thenCompose(body -> canonicalJson && body.length() > LARGE
                        ? CompletableFuture.supplyAsync(() -> fingerprint(sent, body, forms, true), blocking)
                        : CompletableFuture.completedFuture(fingerprint(sent, body, forms, canonicalJson)));
    }

    /** The message of Micronaut's exception would tell callers which property to set. */
    private static RuntimeException refused(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        return cause instanceof BufferLengthExceededException
                ? new HttpStatusException(
                        HttpStatus.REQUEST_ENTITY_TOO_LARGE, "The request is larger than this server takes here")
                : new CompletionException(cause);
    }

    private static CallFingerprint fingerprint(
            HttpRequest<?> request, CloseableAvailableByteBody body, FingerprintForms forms, boolean canonicalJson) {
        String type = request.getHeaders().get(HttpHeaders.CONTENT_TYPE);
        byte[] content;
        try (body) {
            content = body.toByteArray();
        }
        String json = canonicalJson ? jsonType(type) : null;
        Optional<byte[]> canonical = json == null ? Optional.empty() : CanonicalJson.of(content);
        byte[] raw = digest(request, type, content);
        byte[] meant = canonical.map(bytes -> digest(request, json, bytes)).orElse(raw);
        Function<Boolean, CallFingerprint> made =
                asJson -> asJson ? forms.of(JSON, version -> meant) : forms.of(BYTES, version -> raw);
        // a record from before the property was switched is compared as it was made
        return new CallFingerprint(
                made.apply(canonical.isPresent()).text(),
                form -> made.apply(form.startsWith(JSON)).in(form));
    }

    /** Without parameters, and null for what is not JSON in UTF-8. */
    private static @Nullable String jsonType(@Nullable String contentType) {
        Matcher type = JSON_TYPE.matcher(contentType == null ? "" : contentType.toLowerCase(Locale.ROOT));
        return type.matches() ? type.group(1) : null;
    }

    private static byte[] digest(HttpRequest<?> request, @Nullable String type, byte[] content) {
        List<byte[]> parts = new ArrayList<>();
        parts.add(text(request.getMethodName()));
        parts.add(text(request.getPath()));
        parts.add(text(request.getUri().getRawQuery()));
        parts.add(text(type));
        RouteAttributes.getRouteInfo(request)
                .flatMap(route -> route.getAnnotationMetadata().stringValue(Version.class))
                .ifPresent(version -> parts.add(text(version))); // the records of most are older than this part
        parts.add(content);
        MessageDigest sha256 = RecordId.sha256();
        for (byte[] part : parts) {
            sha256.update(ByteBuffer.allocate(Integer.BYTES).putInt(part.length).flip());
            sha256.update(part);
        }
        return sha256.digest();
    }

    private static byte[] text(@Nullable String value) {
        return value == null ? new byte[0] : value.getBytes(StandardCharsets.UTF_8);
    }
}
