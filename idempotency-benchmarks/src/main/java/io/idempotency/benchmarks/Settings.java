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
 * @param results where the tables are kept
 * @param page what is written
 */
record Settings(int rounds, long millis, List<Integer> callers, String threads, String results, String page) {

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
                written.getOrDefault("results", "target/results"),
                written.getOrDefault("page", "../docs/performance.md"));
    }

    private static List<Integer> numbers(String list) {
        return Arrays.stream(list.split(",", -1)).map(Integer::valueOf).toList();
    }
}
