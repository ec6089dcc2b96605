package io.idempotency.benchmarks;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Measures everything that docs/performance.md tells, and writes that page: floors, this library and its peers
 * in turns. Each part leaves its tables in {@code target/results}; the page and {@code target/results.json} are made of all that
 * is there, so that parts can be measured one at a time.
 */
public final class Performance {

    private Performance() {}

    private static Map<String, Part> parts() {
        Map<String, Part> parts = new LinkedHashMap<>();
        parts.put("redis", RedisPart::measure);
        parts.put("postgresql", JdbcPart::postgres);
        parts.put("replicas", RedisPart::replicas);
        parts.put("transaction", JdbcPart::transaction);
        parts.put("h2", JdbcPart::h2);
        parts.put("memory", JmhPart::measure);
        parts.put("http", HttpPart::measure);
        parts.put("page", settings -> List.of()); // from what is there
        return parts;
    }

    /**
     * Measures.
     *
     * @param arguments names of parts, all of them without any; and settings: {@code rounds=5 millis=500 callers=1,8,64
     *     threads=platform results=target/results page=../docs/performance.md}
     */
    public static void main(String[] arguments) throws Exception {
        measure(arguments);
        System.exit(0); // drivers' threads may outlive their servers
    }

    static void measure(String... arguments) throws Exception {
        Settings settings = Settings.of(arguments);
        Map<String, Part> parts = parts();
        List<String> named =
                Arrays.stream(arguments).filter(name -> !name.contains("=")).toList();
        if (!parts.keySet().containsAll(named)) {
            throw new IllegalArgumentException("There are the parts " + parts.keySet() + ", not all of " + named);
        }
        Results results = new Results(Path.of(settings.results()));
        for (String name : named.isEmpty() ? parts.keySet() : named) {
            System.out.println("Measuring " + name);
            for (Table table : Objects.requireNonNull(parts.get(name)).measure(settings)) {
                System.out.println(table.markdown());
                results.keep(table);
            }
            results.publish(parts.keySet(), Path.of(settings.page()));
        }
    }
}
