package io.idempotency.redis.script;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;

/** The times that servers' clocks show at least, read off their answers. Thread-safe. */
final class ServerClocks {

    private final Map<String, Sample> samples = new ConcurrentHashMap<>();

    /** An answer left a server at its own time, and had arrived by ours. */
    private record Sample(long serverMicros, long arrivedNanos) {}

    void observe(String server, long serverMicros) {
        samples.put(server, new Sample(serverMicros, System.nanoTime()));
    }

    /** Observes what TIME answered. */
    void observe(String server, List<byte[]> time) {
        observe(server, number(time.get(0)) * 1_000_000 + number(time.get(1)));
    }

    private static long number(byte[] digits) {
        return Long.parseLong(new String(digits, StandardCharsets.US_ASCII));
    }

    /** The server's time in microseconds, early by the last answer's way; empty before its first answer. */
    OptionalLong micros(String server) {
        Sample last = samples.get(server);
        return last == null
                ? OptionalLong.empty()
                : OptionalLong.of(last.serverMicros + (System.nanoTime() - last.arrivedNanos) / 1000);
    }
}
