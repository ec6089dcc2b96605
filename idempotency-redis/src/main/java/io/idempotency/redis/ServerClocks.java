package io.idempotency.redis;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What the servers' clocks show at least, read off their answers, so that a claim can carry the time after which
 * nobody waits for it. Thread-safe.
 */
final class ServerClocks {

    private final Map<String, Sample> samples = new ConcurrentHashMap<>();

    /** An answer left a server at its own time, and had arrived by ours. */
    private record Sample(long serverMicros, long arrivedNanos) {}

    void observe(String server, long serverMicros) {
        samples.put(server, new Sample(serverMicros, System.nanoTime()));
    }

    /**
     * The server's time when the given wait, begun now, will be over; never too late, early by the last answer's way.
     *
     * @return microseconds since 1970, null before the server's first answer
     */
    @Nullable
    Long afterWaiting(String server, long waitMicros) {
        Sample last = samples.get(server);
        if (last == null) {
            return null;
        }
        return last.serverMicros + TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - last.arrivedNanos) + waitMicros;
    }
}
