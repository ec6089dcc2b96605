package io.idempotency.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** What was measured, as a Markdown table for people and as {@code target/results/*.json} for whoever collects. */
final class Report {

    private static final Path DIRECTORY = Path.of("target", "results");

    private final String name;
    private final String title;
    private final List<Row> rows = new ArrayList<>();

    private record Row(int callers, String threads, String call, String side, Rounds.Result result) {

        String markdown() {
            return String.format(
                    Locale.ROOT,
                    "| %d %s | %s | %s | %.0f | %.2f (%.2f..%.2f) | %.1f | %.0f | %.2f |",
                    callers,
                    threads,
                    call,
                    side,
                    result.perSecond(),
                    result.ratio(),
                    result.low(),
                    result.high(),
                    result.slowestMicros() / 1_000,
                    result.cpuMicros(),
                    result.cpuRatio());
        }

        String json() {
            return String.format(
                    Locale.ROOT,
                    "{\"callers\":%d,\"threads\":\"%s\",\"call\":\"%s\",\"side\":\"%s\",\"perSecond\":%.0f,"
                            + "\"ratio\":%.3f,\"low\":%.3f,\"high\":%.3f,\"p99Micros\":%.0f,\"cpuMicros\":%.1f,"
                            + "\"cpuRatio\":%.3f}",
                    callers,
                    threads,
                    call,
                    side,
                    result.perSecond(),
                    result.ratio(),
                    result.low(),
                    result.high(),
                    result.slowestMicros(),
                    result.cpuMicros(),
                    result.cpuRatio());
        }
    }

    Report(String name, String title) {
        this.name = name;
        this.title = title;
        System.out.printf(
                "%n%s, JDK %d%n%n| callers | call | side | calls/s | ratio (quartiles) | p99 ms | CPU us | by CPU |%n|---|---|---|---|---|---|---|---|%n",
                title, Runtime.version().feature());
    }

    /** Adds rows and prints them. */
    void add(int callers, String threads, String call, Map<String, Rounds.Result> results) {
        results.forEach((side, result) -> {
            Row row = new Row(callers, threads, call, side, result);
            rows.add(row);
            System.out.println(row.markdown());
        });
    }

    /** Writes the rows, for each version of Java on its own. */
    void write() throws IOException {
        int java = Runtime.version().feature();
        String json = rows.stream().map(Row::json).collect(Collectors.joining(",\n  ", "[\n  ", "\n]"));
        Files.createDirectories(DIRECTORY);
        Files.writeString(
                DIRECTORY.resolve(name + "-jdk" + java + ".json"),
                "{\"name\":\"" + name + "\",\"title\":\"" + title + "\",\"jdk\":" + java + ",\"rows\":" + json + "}\n");
    }

    /** The argument at a position, or what it is where it is left out. */
    static String given(String[] arguments, int position, String otherwise) {
        return arguments.length > position && !arguments[position].isEmpty() ? arguments[position] : otherwise;
    }
}
