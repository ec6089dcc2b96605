package io.idempotency.benchmarks;

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
 * Records in memory, with the least that keeps what the library promises of a call that succeeds: a claim with the token of its owner, a
 * fence and a lease that is renewed; completion as a second step, which only the owner can take. Failures stay in doubt; nobody waits;
 * nobody listens.
 */
final class SafeRecords implements AutoCloseable {

    private static final long LEASE_NANOS = TimeUnit.SECONDS.toNanos(2); // as those beside
    private static final long KEPT_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final ConcurrentMap<ByteBuffer, Entry> entries = new ConcurrentHashMap<>();
    private final Set<Claim> running = ConcurrentHashMap.newKeySet();
    private final AtomicLong fences = new AtomicLong();
    private final ScheduledExecutorService upkeep = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "floor-upkeep");
        thread.setDaemon(true);
        return thread;
    });

    SafeRecords() {
        upkeep.scheduleWithFixedDelay(this::renew, LEASE_NANOS / 3, LEASE_NANOS / 3, TimeUnit.NANOSECONDS);
        upkeep.scheduleWithFixedDelay(this::purge, 1, 1, TimeUnit.SECONDS);
    }

    /** A key's record; without content while its body runs, and when that is in doubt. */
    record Entry(byte[] request, UUID owner, long fence, long untilNanos, int status, byte @Nullable [] content) {

        Entry with(long newUntilNanos, int newStatus, byte @Nullable [] newContent) {
            return new Entry(request, owner, fence, newUntilNanos, newStatus, newContent);
        }

        /** What to replay; null where the request is another one, or there is nothing to replay. */
        byte @Nullable [] contentFor(byte[] fingerprint) {
            return MessageDigest.isEqual(request, fingerprint) ? content : null;
        }
    }

    /** By identity, so that it can be renewed. */
    final class Claim {
        private final ByteBuffer key;
        private final Entry held;
        private final @Nullable Entry known;

        private Claim(ByteBuffer key, Entry held) {
            this.key = key;
            this.held = held;
            this.known = entries.putIfAbsent(key, held);
        }

        /** What was there; null for the one who has to run the body. */
        @Nullable
        Entry known() {
            return known;
        }

        void settle(int status, byte[] content) {
            step(System.nanoTime() + KEPT_NANOS, status, content);
            running.remove(this);
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

    Claim claim(ByteBuffer key, byte[] fingerprint) {
        long until = System.nanoTime() + LEASE_NANOS;
        Claim claim =
                new Claim(key, new Entry(fingerprint, UUID.randomUUID(), fences.incrementAndGet(), until, 0, null));
        if (claim.known() == null) {
            running.add(claim);
        }
        return claim;
    }

    private void renew() {
        long until = System.nanoTime() + LEASE_NANOS;
        running.forEach(claim -> claim.step(until, 0, null));
    }

    private void purge() {
        long now = System.nanoTime();
        entries.values().removeIf(entry -> entry.content() != null && now - entry.untilNanos() > 0);
    }

    @Override
    public void close() {
        upkeep.shutdownNow();
    }
}
