package io.idempotency.benchmarks;

import io.idempotency.benchmarks.RouteController.Answer;
import io.idempotency.benchmarks.RouteController.Ask;
import io.micronaut.context.annotation.Bean;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.json.JsonMapper;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.Principal;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What no protection of a route can leave out, by hand: the digest of caller, operation and key, that of the request, one entry of a
 * map that is claimed, the answer's bytes, which are sent as they are kept, and the mark of a replay. There is no lease and no owner; of
 * failures and of what is unknown nothing is kept, and nobody waits.
 */
@Singleton
@Bean(typed = RouteFloor.class)
final class RouteFloor {

    private static final long KEPT_NANOS = TimeUnit.SECONDS.toNanos(2); // as long as the records beside

    private final ConcurrentMap<ByteBuffer, Kept> entries = new ConcurrentHashMap<>();
    private final JsonMapper json;
    private final ScheduledExecutorService purge = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "floor-purge");
        thread.setDaemon(true);
        return thread;
    });

    /** A key's entry; without content while its body runs. */
    private record Kept(byte[] request, long since, int status, byte @Nullable [] content) {}

    /**
     * A claim.
     *
     * @param key the entry's
     * @param request the digest of the request
     * @param replay what is answered instead, null for the one who has to run the body
     */
    record Claim(ByteBuffer key, byte[] request, @Nullable HttpResponse<byte[]> replay) {}

    RouteFloor(JsonMapper json) {
        this.json = json;
        purge.scheduleWithFixedDelay(this::purge, 1, 1, TimeUnit.SECONDS);
    }

    private void purge() {
        long now = System.nanoTime();
        entries.values().removeIf(kept -> now - kept.since() > KEPT_NANOS);
    }

    @PreDestroy
    void stop() {
        purge.shutdownNow();
    }

    /** By the arguments of the method. */
    Claim claim(HttpRequest<?> request, Ask ask) {
        MessageDigest digest = sha256();
        add(digest, ask.orderId());
        digest.update(ByteBuffer.allocate(Long.BYTES).putLong(ask.amount()).array());
        return claim(request, "floor-annotated", digest.digest());
    }

    /** By what was sent. */
    Claim claim(HttpRequest<?> request, byte[] body) {
        MessageDigest digest = sha256();
        add(digest, request.getMethodName());
        add(digest, request.getPath());
        digest.update(body);
        return claim(request, "floor-configured", digest.digest());
    }

    private Claim claim(HttpRequest<?> request, String operation, byte[] fingerprint) {
        MessageDigest digest = sha256();
        add(digest, request.getUserPrincipal().map(Principal::getName).orElse(""));
        add(digest, operation);
        add(digest, request.getHeaders().get("Idempotency-Key"));
        ByteBuffer key = ByteBuffer.wrap(digest.digest());
        Kept known = entries.putIfAbsent(key, new Kept(fingerprint, System.nanoTime(), 0, null));
        return new Claim(key, fingerprint, known == null ? null : replay(known, fingerprint));
    }

    private static HttpResponse<byte[]> replay(Kept known, byte[] fingerprint) {
        if (known.content() == null || !MessageDigest.isEqual(known.request(), fingerprint)) {
            return HttpResponse.status(409, "Conflict");
        }
        return HttpResponse.<byte[]>status(known.status(), "Replayed")
                .contentType(MediaType.APPLICATION_JSON_TYPE)
                .header("Idempotent-Replayed", "true")
                .body(known.content());
    }

    /** Keeps an answer, and gives back the bytes of it. */
    HttpResponse<byte[]> record(Claim claim, int status, Answer answer) throws IOException {
        byte[] content = json.writeValueAsBytes(answer);
        entries.put(claim.key(), new Kept(claim.request(), System.nanoTime(), status, content));
        return HttpResponse.<byte[]>status(status, "OK")
                .contentType(MediaType.APPLICATION_JSON_TYPE)
                .body(content);
    }

    private static void add(MessageDigest digest, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).array());
        digest.update(bytes);
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
