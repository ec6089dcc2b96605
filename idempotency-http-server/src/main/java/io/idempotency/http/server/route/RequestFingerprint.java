package io.idempotency.http.server.route;

import io.idempotency.runtime.engine.CallFingerprint;
import io.idempotency.runtime.secrets.FingerprintForms;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.ServerHttpRequest;
import io.micronaut.http.body.ByteBody.SplitBackpressureMode;
import io.micronaut.http.body.CloseableAvailableByteBody;
import io.micronaut.http.context.ServerRequestContext;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** What a request asks for: method, path, query, content type and the bytes of the body, each with its length in front. */
final class RequestFingerprint {

    /** Every version of fingerprints writes requests alike. */
    private static final String FAMILY = "h";

    private RequestFingerprint() {}

    /**
     * Takes the fingerprint of the request as the client sent it, whatever filters made of it since. The body is read as a
     * copy, within the server's limits, and stays there for the route.
     */
    static CompletionStage<CallFingerprint> of(HttpRequest<?> request, FingerprintForms forms) {
        ServerHttpRequest<?> sent = request instanceof ServerHttpRequest<?> server
                ? server
                : ServerRequestContext.currentRequest()
                        .filter(ServerHttpRequest.class::isInstance)
                        .<ServerHttpRequest<?>>map(ServerHttpRequest.class::cast)
                        .orElse(null);
        if (sent == null) {
            return CompletableFuture.failedFuture(new IllegalStateException(
                    "A filter replaced the request by a " + request.getClass().getName()
                            + ", whose body cannot be read twice. The request was not passed on. Set "
                            + FilterOrderConfiguration.PROPERTY
                            + " below the order of that filter, or protect the route by @IdempotentOperation."));
        }
        return sent.byteBody().split(SplitBackpressureMode.FASTEST).buffer().thenApply(body -> {
            byte[] digest = digest(sent, body);
            return forms.of(FAMILY, version -> digest);
        });
    }

    private static byte[] digest(HttpRequest<?> request, CloseableAvailableByteBody body) {
        MessageDigest sha256 = FingerprintForms.sha256();
        add(sha256, text(request.getMethodName()));
        add(sha256, text(request.getPath()));
        add(sha256, text(request.getUri().getRawQuery()));
        add(sha256, text(request.getHeaders().get(HttpHeaders.CONTENT_TYPE)));
        try (body) {
            add(sha256, body.toByteArray());
        }
        return sha256.digest();
    }

    private static byte[] text(@Nullable String value) {
        return value == null ? new byte[0] : value.getBytes(StandardCharsets.UTF_8);
    }

    private static void add(MessageDigest digest, byte[] part) {
        digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(part.length).array());
        digest.update(part);
    }
}
