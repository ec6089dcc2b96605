package io.idempotency.benchmarks;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/**
 * What one part came to.
 *
 * @param part the part
 * @param title a heading
 * @param text what was measured, and how to read it
 * @param rows the same columns in each
 */
record Table(String part, String title, String text, List<Map<String, Object>> rows) {

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

    /** For people, without what only programs compare. */
    String markdown() {
        StringBuilder page = new StringBuilder("### " + title + "\n\n" + text + "\n\n");
        List<Map<String, Object>> shown = rows.stream().map(Table::shown).toList();
        if (!shown.isEmpty()) {
            page.append(line(shown.get(0).keySet()))
                    .append("|---".repeat(shown.get(0).size()))
                    .append("|\n");
            shown.forEach(row -> page.append(line(row.values())));
        }
        return page.toString();
    }

    private static Map<String, Object> shown(Map<String, Object> row) {
        Map<String, Object> shown = new LinkedHashMap<>(row);
        shown.keySet().removeIf(column -> column.contains("Cpu") || column.equals("replayP99Millis"));
        return shown;
    }

    private static String line(Iterable<?> values) {
        StringBuilder line = new StringBuilder("|");
        values.forEach(value -> line.append(' ').append(text(value)).append(" |"));
        return line.append('\n').toString();
    }

    /** Rates need no digits behind the point, and ratios two of them. */
    private static String text(Object value) {
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
