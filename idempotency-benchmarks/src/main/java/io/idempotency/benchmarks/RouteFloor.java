package io.idempotency.benchmarks;

import io.idempotency.benchmarks.RouteController.Answer;
import io.idempotency.benchmarks.RouteController.Ask;
import io.micronaut.context.annotation.Bean;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.json.JsonMapper;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
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

    /** An entry that was claimed, by whoever has nothing to replay. */
    private record Claim(
            RouteFloor floor,
            ByteBuffer key,
            byte[] request,
            @Nullable HttpResponse<?> replay) implements RouteClaim {

        @Override
        public HttpResponse<?> record(int status, Answer answer) throws IOException {
            byte[] content = floor.json.writeValueAsBytes(answer);
            floor.entries.put(key, new Kept(request, System.nanoTime(), status, content));
            return RouteDigests.response(status, content);
        }
    }

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
    RouteClaim claim(HttpRequest<?> request, Ask ask) {
        return claim(request, "floor-annotated", RouteDigests.of(ask));
    }

    /** By what was sent. */
    RouteClaim claim(HttpRequest<?> request, byte[] body) {
        return claim(request, "floor-configured", RouteDigests.of(request, body));
    }

    private RouteClaim claim(HttpRequest<?> request, String operation, byte[] fingerprint) {
        ByteBuffer key = RouteDigests.key(request, operation);
        Kept known = entries.putIfAbsent(key, new Kept(fingerprint, System.nanoTime(), 0, null));
        return new Claim(this, key, fingerprint, known == null ? null : replay(known, fingerprint));
    }

    private static HttpResponse<?> replay(Kept known, byte[] fingerprint) {
        byte[] content = known.content();
        return content == null || !MessageDigest.isEqual(known.request(), fingerprint)
                ? HttpResponse.status(HttpStatus.CONFLICT)
                : RouteDigests.response(known.status(), content).header("Idempotent-Replayed", "true");
    }
}
