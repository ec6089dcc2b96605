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
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The fingerprint of a request: its method, path, query, content type and body, each preceded by its length. */
final class RequestFingerprint {

    private static final Logger LOG = LoggerFactory.getLogger(RequestFingerprint.class);

    private static final String BYTES = "h";
    private static final String JSON = "j";
    private static final String MULTIPART = "m";

    /** Larger documents would block an event loop for too long: 2 MB took up to 0.4 s. */
    private static final int LARGE = 64 * 1024;

    /** JSON in UTF-8, the only encoding that RFC 8259 allows. The group is the type without parameters. */
    private static final Pattern JSON_TYPE =
            Pattern.compile("\\s*(application/(?:[^;\\s]+\\+)?json)\\s*(?:;\\s*charset\\s*=\\s*\"?utf-8\"?\\s*)?");

    /** Clients choose the boundary anew for each attempt, and no part contains it (RFC 2046, 5.1.1). */
    private static final Pattern BOUNDARY = Pattern.compile("(?i);\\s*boundary=\"?([^;\"]{1,70})\"?");

    private RequestFingerprint() {}

    /**
     * Computes the fingerprint of the request as the client sent it, with the API version by which it was routed, from
     * a copy of the body. The executor works on large JSON documents.
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
                .handle(RequestFingerprint::content)
                .thenCompose(content -> {
                    Supplier<CallFingerprint> work = () -> fingerprint(sent, content, forms, canonicalJson);
                    try {
                        return CompletableFuture.supplyAsync(work, content.length > LARGE ? blocking : Runnable::run);
                    } catch (RejectedExecutionException e) {
                        return CompletableFuture.completedFuture(work.get()); // the engine refuses the call
                    }
                });
    }

    /** Copies and releases the buffered body, before an executor may refuse to work on it. */
    private static byte[] content(@Nullable CloseableAvailableByteBody buffered, @Nullable Throwable failure) {
        if (buffered == null) {
            Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
            throw cause instanceof BufferLengthExceededException
                    ? new HttpStatusException(
                            HttpStatus.REQUEST_ENTITY_TOO_LARGE, "The request is larger than this server takes here")
                    : new CompletionException(cause);
        }
        try (buffered) {
            return buffered.toByteArray();
        }
    }

    private static CallFingerprint fingerprint(
            HttpRequest<?> request, byte[] content, FingerprintForms forms, boolean canonicalJson) {
        String type = request.getHeaders().get(HttpHeaders.CONTENT_TYPE);
        byte[] raw = digest(request, type, content);
        String lowerCase = type == null ? "" : type.toLowerCase(Locale.ROOT);
        Matcher json = JSON_TYPE.matcher(lowerCase);
        Optional<byte[]> canonical = canonicalJson && json.matches() ? CanonicalJson.of(content) : Optional.empty();
        if (canonical.isPresent()) {
            return fingerprint(forms, raw, JSON, digest(request, json.group(1), canonical.get()));
        }
        Matcher boundary = BOUNDARY.matcher(String.valueOf(type));
        if (lowerCase.startsWith("multipart/") && boundary.find()) {
            byte[] parts = parts(content, "--" + boundary.group(1).strip());
            return fingerprint(forms, raw, MULTIPART, digest(request, boundary.replaceFirst(""), parts));
        }
        return fingerprint(forms, raw, BYTES, raw);
    }

    /** Compares a record from before the property changed, or of a former version, in the record's own form. */
    private static CallFingerprint fingerprint(FingerprintForms forms, byte[] raw, String form, byte[] meant) {
        Function<String, CallFingerprint> made = of -> forms.of(of, version -> of.equals(BYTES) ? raw : meant);
        return new CallFingerprint(
                made.apply(form).text(),
                recorded -> Stream.of(BYTES, JSON, MULTIPART)
                        .filter(recorded::startsWith)
                        .findFirst()
                        .map(of -> made.apply(of).in(recorded))
                        .orElse(null));
    }

    /** Returns a digest of what stands between the boundaries. */
    private static byte[] parts(byte[] content, String boundary) {
        String text = new String(content, StandardCharsets.ISO_8859_1);
        MessageDigest sha256 = RecordId.sha256();
        int from = 0;
        for (int at = text.indexOf(boundary); at >= 0; at = text.indexOf(boundary, from)) {
            add(sha256, content, from, at);
            from = at + boundary.length();
        }
        add(sha256, content, from, content.length);
        return sha256.digest();
    }

    private static void add(MessageDigest sha256, byte[] content, int from, int to) {
        sha256.update(ByteBuffer.allocate(Integer.BYTES).putInt(to - from).flip());
        sha256.update(content, from, to - from);
    }

    private static byte[] digest(HttpRequest<?> request, @Nullable String type, byte[] content) {
        MessageDigest sha256 = RecordId.sha256();
        add(sha256, request.getMethodName());
        add(sha256, request.getPath());
        add(sha256, request.getUri().getRawQuery());
        add(sha256, type);
        RouteAttributes.getRouteInfo(request)
                .flatMap(route -> route.getAnnotationMetadata().stringValue(Version.class))
                .ifPresent(version -> add(sha256, version)); // else left out, as in older records
        add(sha256, content, 0, content.length);
        return sha256.digest();
    }

    private static void add(MessageDigest sha256, @Nullable String text) {
        byte[] part = text == null ? new byte[0] : text.getBytes(StandardCharsets.UTF_8);
        add(sha256, part, 0, part.length);
    }
}
