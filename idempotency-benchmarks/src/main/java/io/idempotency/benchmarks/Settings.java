package io.idempotency.benchmarks;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How much is measured.
 *
 * @param rounds how many turns each side has
 * @param millis how long each lasts
 * @param callers how many call at once
 * @param threads {@code platform} or {@code virtual}
 * @param records how many records there are before
 * @param results where the tables are kept
 * @param page what is written
 */
record Settings(
        int rounds,
        long millis,
        List<Integer> callers,
        String threads,
        List<Integer> records,
        String results,
        String page) {

    static Settings of(String[] arguments) {
        Map<String, String> written = new HashMap<>();
        Arrays.stream(arguments).filter(it -> it.contains("=")).forEach(it -> {
            String[] parts = it.split("=", 2);
            written.put(parts[0], parts[1]);
        });
        return new Settings(
                Integer.parseInt(written.getOrDefault("rounds", "5")),
                Long.parseLong(written.getOrDefault("millis", "500")),
                numbers(written.getOrDefault("callers", "1,8,64")),
                written.getOrDefault("threads", "platform"),
                numbers(written.getOrDefault("records", "10000,1000000")),
                written.getOrDefault("results", "target/results"),
                written.getOrDefault("page", "../docs/performance.md"));
    }

    /** The same for one round. */
    Settings once() {
        return new Settings(1, millis, callers, threads, records, results, page);
    }

    private static List<Integer> numbers(String list) {
        return Arrays.stream(list.split(",", -1)).map(Integer::valueOf).toList();
    }
}
