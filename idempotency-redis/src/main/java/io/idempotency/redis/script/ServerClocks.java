package io.idempotency.redis.script;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What the servers' clocks show at least, read off their answers, so that a claim can carry the time after which its caller does
 * not wait for it any more. Thread-safe.
 */
final class ServerClocks {

    private static final long MICRO = 1000;

    private final Map<String, Sample> samples = new ConcurrentHashMap<>();

    /** An answer left a server at its own time, and had arrived by ours. */
    private record Sample(long serverMicros, long arrivedNanos) {}

    void observe(String server, long serverMicros) {
        samples.put(server, new Sample(serverMicros, System.nanoTime()));
    }

    /** What TIME answered. */
    void observe(String server, List<byte[]> time) {
        observe(server, number(time.get(0)) * 1_000_000 + number(time.get(1)));
    }

    private static long number(byte[] digits) {
        return Long.parseLong(new String(digits, StandardCharsets.US_ASCII));
    }

    /** The server's time, early by the last answer's way; empty before its first answer. */
    OptionalLong micros(String server) {
        Sample last = samples.get(server);
        return last == null
                ? OptionalLong.empty()
                : OptionalLong.of(last.serverMicros + (System.nanoTime() - last.arrivedNanos) / MICRO);
    }

    /** The text of the server's time when a wait that begins now will be over; never too late, empty before its first answer. */
    byte[] after(String server, Duration wait) {
        OptionalLong now = micros(server);
        return now.isEmpty() ? new byte[0] : RecordParts.bytes(Long.toString(now.getAsLong() + wait.toNanos() / MICRO));
    }
}
