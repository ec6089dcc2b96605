package io.idempotency.integration.campaign;

import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;

/** Draws what a node holds over the time of a run: one line each for heap, threads, sockets and files. */
final class SoakPicture {

    private static final int WIDTH = 860;
    private static final int LEFT = 210;
    private static final int RIGHT = 840;
    private static final int TOP = 40;
    private static final int ROW = 70;
    private static final int HIGH = 50;

    private SoakPicture() {}

    static String of(String store, double minutes, List<Footprint> held) {
        int height = TOP + 4 * ROW + 10;
        return ("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\""
                                + " font-family=\"sans-serif\" font-size=\"12\">\n"
                                + "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n"
                                + "<text x=\"20\" y=\"20\">%s: what a node holds in %.0f minutes of calls and cut connections</text>\n")
                        .formatted(WIDTH, height, WIDTH, height, store, minutes)
                + row(0, "KB of heap after a collection", held, Footprint::heapKb)
                + row(1, "threads", held, Footprint::threads)
                + row(2, "sockets", held, Footprint::sockets)
                + row(3, "open files", held, Footprint::files)
                + "</svg>\n";
    }

    private static String row(int row, String name, List<Footprint> held, ToLongFunction<Footprint> value) {
        long most = Math.max(1, held.stream().mapToLong(value).max().orElse(1));
        int bottom = TOP + row * ROW + HIGH;
        StringBuilder points = new StringBuilder();
        for (int i = 0; i < held.size(); i++) {
            points.append(String.format(
                    Locale.ROOT,
                    "%.1f,%.1f ",
                    LEFT + (double) (RIGHT - LEFT) * i / Math.max(1, held.size() - 1),
                    bottom - (double) HIGH * value.applyAsLong(held.get(i)) / most));
        }
        return String.format(
                Locale.ROOT,
                "<text x=\"20\" y=\"%d\">%s</text>%n<text x=\"20\" y=\"%d\" fill=\"#57606a\">at most %,d</text>%n"
                        + "<line x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\" stroke=\"#d0d7de\"/>%n"
                        + "<polyline points=\"%s\" fill=\"none\" stroke=\"#0969da\" stroke-width=\"1.5\"/>%n",
                bottom - 24,
                name,
                bottom - 8,
                most,
                LEFT,
                bottom,
                RIGHT,
                bottom,
                points.toString().trim());
    }
}
