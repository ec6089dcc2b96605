package io.idempotency.redis.script;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * What the servers' clocks show at least, read off their answers, so that a claim can carry the time after which its caller does
 * not wait for it any more. Thread-safe.
 */
final class ServerClocks {

    private final Map<String, Sample> samples = new ConcurrentHashMap<>();

    /** An answer left a server at its own time, and had arrived by ours. */
    private record Sample(long serverMicros, long arrivedNanos) {}

    void observe(String server, long serverMicros) {
        samples.put(server, new Sample(serverMicros, System.nanoTime()));
    }

    /**
     * The server's time when a wait that begins now will be over; never too late, early by the last answer's way.
     *
     * @return microseconds since 1970 as a text, empty before the server's first answer
     */
    byte[] after(String server, long waitMicros) {
        Sample last = samples.get(server);
        if (last == null) {
            return new byte[0];
        }
        long age = TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - last.arrivedNanos);
        return RecordParts.bytes(Long.toString(last.serverMicros + age + waitMicros));
    }
}
