package io.idempotency.benchmarks;

import io.idempotency.benchmarks.RouteController.Answer;
import io.idempotency.benchmarks.RouteController.Ask;
import io.micronaut.context.annotation.Bean;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.json.JsonMapper;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The least that keeps what the library promises of a call that succeeds, by hand: what {@link RouteFloor} does; a claim with the token of
 * its owner, a fence and a lease that is renewed; completion as a second step, which only the owner can take; a result whose
 * class was seen to come back from JSON as it was. The bytes of a configured route are kept with their head and sent as they are; an annotated method
 * returns its result, which the server writes. Failures stay in doubt; nobody waits; nobody listens.
 */
@Singleton
@Bean(typed = RouteSafeFloor.class)
final class RouteSafeFloor {

    private static final long LEASE_NANOS = TimeUnit.SECONDS.toNanos(2); // as those beside
    private static final long KEPT_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final ConcurrentMap<ByteBuffer, Entry> entries = new ConcurrentHashMap<>();
    private final Set<Claim> running = ConcurrentHashMap.newKeySet();
    private final AtomicLong fences = new AtomicLong();
    private final JsonMapper json;
    private volatile boolean comesBack;
    private final ScheduledExecutorService upkeep = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "floor-upkeep");
        thread.setDaemon(true);
        return thread;
    });

    RouteSafeFloor(JsonMapper json) {
        this.json = json;
        upkeep.scheduleWithFixedDelay(this::renew, LEASE_NANOS / 3, LEASE_NANOS / 3, TimeUnit.NANOSECONDS);
        upkeep.scheduleWithFixedDelay(this::purge, 1, 1, TimeUnit.SECONDS);
    }

    /** A key's record. */
    private record Entry(
            byte[] request, UUID owner, long fence, long untilNanos, int status, byte @Nullable [] content) {

        Entry with(long newUntilNanos, int newStatus, byte @Nullable [] newContent) {
            return new Entry(request, owner, fence, newUntilNanos, newStatus, newContent);
        }
    }

    /** By identity, so that it can be renewed. */
    private final class Claim implements RouteClaim {
        private final ByteBuffer key;
        private final Entry held;
        private final boolean annotated;
        private @Nullable HttpResponse<?> replay;

        Claim(ByteBuffer key, Entry held, boolean annotated) {
            this.key = key;
            this.held = held;
            this.annotated = annotated;
        }

        @Override
        public @Nullable HttpResponse<?> replay() {
            return replay;
        }

        @Override
        public HttpResponse<?> record(int status, Answer answer) throws IOException {
            byte[] content = json.writeValueAsBytes(answer);
            if (annotated && !comesBack) { // once is enough for a class whose parts are all final
                comesBack = answer.equals(json.readValue(content, Answer.class));
            }
            step(System.nanoTime() + KEPT_NANOS, status, content);
            running.remove(this);
            return annotated ? HttpResponse.ok(answer) : RouteDigests.response(status, content);
        }

        /** Nothing when another owner has the key by now, or nobody, or when it is settled. */
        private void step(long untilNanos, int status, byte @Nullable [] content) {
            entries.computeIfPresent(
                    key, (same, entry) -> isHeld(entry) ? entry.with(untilNanos, status, content) : entry);
        }

        private boolean isHeld(Entry entry) {
            return entry.content() == null
                    && entry.fence() == held.fence()
                    && entry.owner().equals(held.owner());
        }
    }

    RouteClaim claim(HttpRequest<?> request, Ask ask) throws IOException {
        return claim(RouteDigests.key(request, "safe-annotated"), RouteDigests.of(ask), true);
    }

    RouteClaim claim(HttpRequest<?> request, byte[] body) throws IOException {
        return claim(RouteDigests.key(request, "safe-configured"), RouteDigests.of(request, body), false);
    }

    private RouteClaim claim(ByteBuffer key, byte[] fingerprint, boolean annotated) throws IOException {
        long until = System.nanoTime() + LEASE_NANOS;
        Entry mine = new Entry(fingerprint, UUID.randomUUID(), fences.incrementAndGet(), until, 0, null);
        Claim claim = new Claim(key, mine, annotated);
        Entry known = entries.putIfAbsent(key, mine);
        if (known == null) {
            running.add(claim);
        } else {
            claim.replay = replay(known, fingerprint, annotated);
        }
        return claim;
    }

    private HttpResponse<?> replay(Entry known, byte[] fingerprint, boolean annotated) throws IOException {
        byte[] content = known.content(); // none while it runs, and none once that is in doubt
        if (content == null || !MessageDigest.isEqual(known.request(), fingerprint)) {
            return HttpResponse.status(HttpStatus.CONFLICT);
        }
        MutableHttpResponse<?> response = annotated
                ? HttpResponse.ok(json.readValue(content, Answer.class))
                : RouteDigests.response(known.status(), content);
        return response.header("Idempotent-Replayed", "true").header("Cache-Control", "no-store");
    }

    private void renew() {
        long until = System.nanoTime() + LEASE_NANOS;
        running.forEach(claim -> claim.step(until, 0, null));
    }

    private void purge() {
        long now = System.nanoTime();
        entries.values().removeIf(entry -> entry.content() != null && now - entry.untilNanos() > 0);
    }

    @PreDestroy
    void stop() {
        upkeep.shutdownNow();
    }
}
