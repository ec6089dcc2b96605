package io.idempotency.benchmarks;

import io.idempotency.benchmarks.RouteController.Ask;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.MutableHttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.Principal;

/** What both floors make of requests and answers. */
final class RouteDigests {

    private RouteDigests() {}

    /** The digest of caller, operation and key. */
    static ByteBuffer key(HttpRequest<?> request, String operation) {
        MessageDigest digest = sha256();
        add(digest, request.getUserPrincipal().map(Principal::getName).orElse(""));
        add(digest, operation);
        add(digest, request.getHeaders().get("Idempotency-Key"));
        return ByteBuffer.wrap(digest.digest());
    }

    /** That of the arguments of the method. */
    static byte[] of(Ask ask) {
        MessageDigest digest = sha256();
        add(digest, ask.orderId());
        digest.update(ByteBuffer.allocate(Long.BYTES).putLong(ask.amount()).array());
        return digest.digest();
    }

    /** That of what was sent. */
    static byte[] of(HttpRequest<?> request, byte[] body) {
        MessageDigest digest = sha256();
        add(digest, request.getMethodName());
        add(digest, request.getPath());
        digest.update(body);
        return digest.digest();
    }

    static MutableHttpResponse<byte[]> response(int status, byte[] content) {
        return HttpResponse.<byte[]>status(status, "OK")
                .contentType(MediaType.APPLICATION_JSON_TYPE)
                .body(content);
    }

    private static void add(MessageDigest digest, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).array());
        digest.update(bytes);
    }

    static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
