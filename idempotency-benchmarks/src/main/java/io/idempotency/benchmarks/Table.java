package io.idempotency.benchmarks;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What one part came to.
 *
 * @param part the part
 * @param title a heading
 * @param text what was measured, and how to read it
 * @param rows the same columns in each
 */
record Table(String part, String title, String text, List<Map<String, Object>> rows) {

    private static final String SLOWEST = "p99 of first calls, ms";

    /** A row of columns and values in turns. */
    static Map<String, Object> row(Object... columnsAndValues) {
        Map<String, Object> row = new LinkedHashMap<>();
        for (int i = 0; i < columnsAndValues.length; i += 2) {
            row.put((String) columnsAndValues[i], columnsAndValues[i + 1]);
        }
        return row;
    }

    /** What a row says in a column of numbers. */
    static double number(Map<String, Object> row, String column) {
        return (double) Objects.requireNonNull(row.get(column), column);
    }

    /** For people: of sides that took turns one row for each number of callers, otherwise every row. */
    String markdown() {
        List<Map<String, Object>> shown = !rows.isEmpty() && rows.get(0).containsKey("side") ? byCallers() : rows;
        StringBuilder page = new StringBuilder("### " + title + "\n\n" + text + "\n\n");
        if (!shown.isEmpty()) {
            page.append(line(shown.get(0).keySet()))
                    .append("|---".repeat(shown.get(0).size()))
                    .append("|\n");
            shown.forEach(row -> page.append(line(row.values())));
        }
        return page.toString();
    }

    /** The first side's rates, the ratios of the others, and how long one first call in a hundred takes on the first two sides. */
    private List<Map<String, Object>> byCallers() {
        Map<Object, Map<String, Object>> shown = new LinkedHashMap<>();
        for (Map<String, Object> row : rows) {
            Map<String, Object> line = shown.computeIfAbsent(row.get("callers"), callers -> row("callers", callers));
            String side = String.valueOf(row.get("side"));
            if (line.size() == 1) {
                line.put(side + ", calls/s", text(row.get("first")) + " / " + text(row.get("replay")));
                line.put(SLOWEST, text(row.get("firstP99Millis")));
            } else {
                line.put(side, text(row.get("firstRatio")) + " / " + text(row.get("replayRatio")));
                if (line.size() == 4) {
                    line.merge(SLOWEST, text(row.get("firstP99Millis")), (one, other) -> one + " / " + other);
                }
            }
        }
        return List.copyOf(shown.values());
    }

    private static String line(Iterable<?> values) {
        StringBuilder line = new StringBuilder("|");
        values.forEach(value -> line.append(' ').append(text(value)).append(" |"));
        return line.append('\n').toString();
    }

    /** Rates need no digits behind the point, and ratios two of them. */
    private static String text(@Nullable Object value) {
        return value instanceof Double number
                ? String.format(Locale.ROOT, number >= 100 ? "%,.0f" : "%.2f", number)
                : String.valueOf(value);
    }

    Map<String, Object> json(Machine machine) {
        return row(
                "benchmark",
                part,
                "title",
                title,
                "text",
                text,
                "rows",
                rows,
                "machine",
                machine.hardware(),
                "java",
                machine.java(),
                "date",
                machine.date(),
                "commit",
                machine.commit());
    }
}
