package io.idempotency.http.server.problem;

import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** Limits logged refusals to one a minute for each operation and code: clients can cause as many as they like. */
final class RefusalLogLimiter {

    private static final long MINUTE = TimeUnit.MINUTES.toNanos(1);

    private final LongSupplier nanoTime;
    private final Map<Kind, Shown> last = new ConcurrentHashMap<>();

    RefusalLogLimiter(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    private record Kind(String operation, String code) {}

    private record Shown(long at, int since) {}

    /** The number of refusals that were not shown since the last one; empty when this one is not shown either. */
    OptionalInt shows(String operation, String code) {
        long now = nanoTime.getAsLong();
        int[] hidden = {-1};
        last.compute(new Kind(operation, code), (kind, shown) -> {
            if (shown != null && now - shown.at() < MINUTE) {
                return new Shown(shown.at(), shown.since() + 1);
            }
            hidden[0] = shown == null ? 0 : shown.since();
            return new Shown(now, 0);
        });
        return hidden[0] < 0 ? OptionalInt.empty() : OptionalInt.of(hidden[0]);
    }
}
