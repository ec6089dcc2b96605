package io.idempotency.benchmarks;

import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.sync.RedisCommands;
import java.util.Comparator;

/** Copies of one record of a Redis server, made by the server itself. */
record ManyKeys(RedisCommands<String, String> redis) {

    private static final int AT_ONCE = 10_000;
    private static final String COPY = """
            for i = tonumber(ARGV[1]) + 1, tonumber(ARGV[1]) + tonumber(ARGV[2]) do
              local id = redis.sha1hex(i) .. redis.sha1hex('-' .. i)
              redis.call('COPY', KEYS[1], string.sub(KEYS[1], 1, #KEYS[1] - 50) .. string.sub(id, 1, 50))
            end
            return 1""";

    /** Of so many records, of which a call makes the first. */
    double bytesOfEach(Turns.Side call, String pattern, int records) throws Exception {
        call.call("template", true);
        String template = redis.keys(pattern).stream()
                .max(Comparator.comparingInt(String::length))
                .orElseThrow();
        long before = used();
        for (int made = 0; made < records; made += AT_ONCE) {
            String more = Integer.toString(Math.min(AT_ONCE, records - made));
            redis.eval(COPY, ScriptOutputType.INTEGER, new String[] {template}, Integer.toString(made), more);
        }
        return (double) (used() - before) / records;
    }

    private long used() {
        return redis.info("memory")
                .lines()
                .filter(line -> line.startsWith("used_memory:"))
                .mapToLong(line -> Long.parseLong(line.substring("used_memory:".length())))
                .sum();
    }
}
