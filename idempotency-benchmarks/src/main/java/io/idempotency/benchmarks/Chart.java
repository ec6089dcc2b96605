package io.idempotency.benchmarks;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Draws tables of {@link Turns} as one SVG: for each store, first calls and replays beside the floor, which is the line at 1. Every
 * number of callers has a bar for this library and one for each peer.
 */
record Chart(List<Table> tables) {

    private static final String FLOOR = "floor";
    private static final List<String> COLORS =
            List.of("#1f6feb", "#8a939e", "#b7bec6", "#5d6771", "#d0d5da", "#a39b8b", "#6b7f8f");
    private static final int WIDTH = 860;
    private static final int PANEL_WIDTH = 400;
    private static final int PANEL_HEIGHT = 190;
    private static final int PLOT_HEIGHT = 120;
    private static final int LEGEND_COLUMNS = 3;
    private static final int LEGEND_LINE = 20;

    /** The whole picture. */
    String svg() {
        List<String> sides = sides(tables);
        int head = 20 + LEGEND_LINE * ((sides.size() + LEGEND_COLUMNS - 1) / LEGEND_COLUMNS);
        int height = head + tables.size() * PANEL_HEIGHT;
        StringBuilder svg = new StringBuilder(("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\""
                        + " viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" font-size=\"12\">\n"
                        + "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n")
                .formatted(WIDTH, height, WIDTH, height));
        for (int i = 0; i < sides.size(); i++) {
            int x = 20 + i % LEGEND_COLUMNS * 280;
            int y = 14 + i / LEGEND_COLUMNS * LEGEND_LINE;
            svg.append(rect(x, y, 12, 12, COLORS.get(i % COLORS.size())))
                    .append(text(x + 18, y + 11, sides.get(i), "start"));
        }
        for (int i = 0; i < tables.size(); i++) {
            int y = head + i * PANEL_HEIGHT;
            svg.append(panel(tables.get(i), sides, "firstRatio", "first calls", 20, y));
            svg.append(panel(tables.get(i), sides, "replayRatio", "replays", 20 + PANEL_WIDTH + 20, y));
        }
        return svg.append("</svg>\n").toString();
    }

    /** This library first, then the peers; the floor is no bar. */
    private static List<String> sides(List<Table> tables) {
        Set<String> sides = new LinkedHashSet<>();
        for (Table table : tables) {
            for (Map<String, Object> row : table.rows()) {
                String side = String.valueOf(row.get("side"));
                if (!side.equals(FLOOR)) {
                    sides.add(side);
                }
            }
        }
        return List.copyOf(sides);
    }

    private static String panel(Table table, List<String> sides, String column, String title, int left, int top) {
        List<String> shown = sides(List.of(table));
        double highest = table.rows().stream()
                .filter(row -> sides.contains(row.get("side")))
                .mapToDouble(row -> Table.number(row, column))
                .max()
                .orElse(1);
        double scale = PLOT_HEIGHT / Math.max(1.2, highest * 1.1);
        int bottom = top + 30 + PLOT_HEIGHT;
        StringBuilder panel = new StringBuilder(text(left, top + 16, table.title() + ": " + title, "start"));
        Set<Object> callers = new LinkedHashSet<>();
        table.rows().forEach(row -> callers.add(row.get("callers")));
        double x = left;
        double group = (double) PANEL_WIDTH / callers.size();
        for (Object number : callers) {
            panel.append(
                    text(x + group / 2, bottom + 16, number + (number.equals(1) ? " caller" : " callers"), "middle"));
            double bar = Math.min(26, (group - 10) / shown.size());
            for (Map<String, Object> row : table.rows()) {
                String side = String.valueOf(row.get("side"));
                if (shown.contains(side) && number.equals(row.get("callers"))) {
                    double ratio = Table.number(row, column);
                    double at = x + 5 + shown.indexOf(side) * bar;
                    String color = COLORS.get(sides.indexOf(side) % COLORS.size());
                    panel.append(rect(at, bottom - ratio * scale, bar - 3, ratio * scale, color));
                    panel.append(text(
                            at + bar / 2 - 1,
                            bottom - ratio * scale - 3,
                            String.format(Locale.ROOT, "%.1f", ratio),
                            "middle"));
                }
            }
            x += group;
        }
        double one = bottom - scale;
        panel.append("<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" stroke=\"#d1242f\" stroke-dasharray=\"4 3\"/>\n"
                .formatted(left, one, left + PANEL_WIDTH, one));
        return panel.toString();
    }

    private static String rect(double x, double y, double width, double height, String color) {
        return String.format(
                Locale.ROOT,
                "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"/>%n",
                x,
                y,
                width,
                height,
                color);
    }

    private static String text(double x, double y, String text, String anchor) {
        return String.format(
                Locale.ROOT, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>%n", x, y, anchor, text);
    }
}
