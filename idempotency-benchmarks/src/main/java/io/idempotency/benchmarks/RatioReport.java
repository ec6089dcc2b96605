package io.idempotency.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The rounds of a benchmark whose sides take turns, as medians and as medians of each round's ratio to one side: a Markdown
 * table for people, {@code target/results/NAME.json} for programs. The first figure of a line is its rate, of which more is
 * better; every ratio is told so that more is better.
 */
final class RatioReport {

    private final String name;
    private final String unit;
    private final Map<Line, List<Map<String, Double>>> rounds = new LinkedHashMap<>();

    /** What was measured: which side, doing what, for how many callers at once. */
    record Line(String side, String what, int callers) {
        private Line of(String other) {
            return new Line(other, what, callers);
        }
    }

    /** With the side that the ratios are to. */
    RatioReport(String name, String unit) {
        this.name = name;
        this.unit = unit;
    }

    /** One round of one line. */
    void add(Line line, Map<String, Double> figures) {
        rounds.computeIfAbsent(line, first -> new ArrayList<>()).add(figures);
    }

    /** Prints the table, and writes the file. */
    void write() throws IOException {
        TreeSet<String> figures =
                new TreeSet<>(rounds.values().iterator().next().get(0).keySet());
        StringBuilder table = new StringBuilder("| " + name + " | callers | side |");
        figures.forEach(figure ->
                table.append(' ').append(figure).append(" | to ").append(unit).append(" |"));
        table.append('\n').append("|---".repeat(3 + 2 * figures.size())).append("|\n");
        List<String> json = new ArrayList<>();
        rounds.keySet().forEach(line -> {
            table.append(String.format("| %s | %d | %s |", line.what(), line.callers(), line.side()));
            figures.forEach(figure -> {
                double[] ratios = ratios(line, figure);
                table.append(String.format(
                        Locale.ROOT,
                        " %.1f | %.2f (%.2f to %.2f) |",
                        quartile(values(line, figure), 2),
                        quartile(ratios, 2),
                        quartile(ratios, 1),
                        quartile(ratios, 3)));
                json.add(json(line, figure, ratios));
            });
            table.append('\n');
        });
        System.out.print(table);
        Path file = Path.of("target", "results", name + ".json");
        Files.createDirectories(Objects.requireNonNull(file.getParent()));
        Files.writeString(file, json.stream().collect(Collectors.joining(",\n", "[\n", "\n]\n")));
    }

    private String json(Line line, String figure, double[] ratios) {
        return String.format(
                Locale.ROOT,
                "{\"benchmark\":\"%s\",\"what\":\"%s\",\"callers\":%d,\"side\":\"%s\",\"figure\":\"%s\",\"median\":%.3f,"
                        + "\"ratioTo\":\"%s\",\"ratio\":%.3f,\"low\":%.3f,\"high\":%.3f,\"rounds\":%d}",
                name,
                line.what(),
                line.callers(),
                line.side(),
                figure,
                quartile(values(line, figure), 2),
                unit,
                quartile(ratios, 2),
                quartile(ratios, 1),
                quartile(ratios, 3),
                ratios.length);
    }

    private double[] values(Line line, String figure) {
        return Objects.requireNonNull(rounds.get(line), "every line was measured").stream()
                .mapToDouble(round -> Objects.requireNonNull(round.get(figure)))
                .toArray();
    }

    /** A rate to that of the unit; of what a call costs the other way round. */
    private double[] ratios(Line line, String figure) {
        double[] ours = values(line, figure);
        double[] theirs = values(line.of(unit), figure);
        return IntStream.range(0, ours.length)
                .mapToDouble(i -> figure.endsWith("/s") ? ours[i] / theirs[i] : theirs[i] / ours[i])
                .toArray();
    }

    private static double quartile(double[] values, int quarter) {
        double[] sorted = Arrays.stream(values).sorted().toArray();
        return sorted[(sorted.length - 1) * quarter / 4];
    }
}
