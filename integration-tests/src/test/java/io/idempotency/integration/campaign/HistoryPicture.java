package io.idempotency.integration.campaign;

import io.idempotency.integration.campaign.Event.Answer;
import io.idempotency.integration.campaign.Event.Effect;
import io.idempotency.integration.campaign.Event.Happened;
import io.idempotency.integration.campaign.Event.Told;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Draws the calls, the effect and the faults of one key as an SVG: the key whose callers got the most different answers. */
record HistoryPicture(List<Told> calls, List<Effect> effects, List<Happened> faults) {

    private static final int MOST_CALLS = 14;
    private static final int WIDTH = 860;
    private static final int LEFT = 20;
    private static final int RIGHT = 620;
    private static final int TOP = 60;
    private static final int ROW = 22;

    /** Of the most telling key among those with one effect and at most fourteen calls; empty where there is none. */
    static Optional<HistoryPicture> of(History history) {
        Map<String, List<Told>> calls = new HashMap<>();
        Map<String, List<Effect>> effects = new HashMap<>();
        List<Happened> faults = new ArrayList<>();
        for (Event event : history.beforeHealing()) {
            if (event instanceof Told told) {
                calls.computeIfAbsent(told.key(), key -> new ArrayList<>()).add(told);
            } else if (event instanceof Effect effect) {
                effects.computeIfAbsent(effect.key(), key -> new ArrayList<>()).add(effect);
            } else if (event instanceof Happened fault) {
                faults.add(fault);
            }
        }
        return calls.entrySet().stream()
                .filter(of -> of.getValue().size() <= MOST_CALLS)
                .filter(of -> effects.getOrDefault(of.getKey(), List.of()).size() == 1)
                .map(of -> new HistoryPicture(of.getValue(), effects.get(of.getKey()), List.of()).under(faults))
                .max(Comparator.comparingInt(HistoryPicture::told));
    }

    /** With those faults that happened while its callers called. */
    private HistoryPicture under(List<Happened> all) {
        return new HistoryPicture(
                calls.stream().sorted(Comparator.comparingLong(Told::sinceMs)).toList(),
                effects,
                all.stream()
                        .filter(fault -> fault.atMs() >= from() && fault.atMs() <= to())
                        .toList());
    }

    /** How much of it is worth a look. */
    private int told() {
        long answers = calls.stream().map(Told::answer).distinct().count();
        long firstResult = calls.stream()
                .filter(told -> told.answer() == Answer.RESULT)
                .mapToLong(Told::atMs)
                .min()
                .orElse(from());
        boolean beforeIt = faults.stream().anyMatch(fault -> fault.atMs() < firstResult);
        return (int) (100 * answers) + (beforeIt ? 200 : 0) + calls.size();
    }

    private long from() {
        return calls.stream().mapToLong(Told::sinceMs).min().orElseThrow();
    }

    private long to() {
        return calls.stream().mapToLong(Told::atMs).max().orElseThrow();
    }

    private double x(long atMs) {
        return LEFT + (double) (RIGHT - LEFT) * (atMs - from()) / Math.max(1, to() - from());
    }

    String svg() {
        int height = TOP + calls.size() * ROW + 20;
        StringBuilder svg = new StringBuilder(
                ("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\""
                                + " font-family=\"sans-serif\" font-size=\"12\">\n"
                                + "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n")
                        .formatted(WIDTH, height, WIDTH, height));
        svg.append(text(
                LEFT,
                18,
                calls.get(0).key() + ", " + (to() - from()) + " ms: each bar is a call, the diamond its effect"));
        faults.forEach(fault -> svg.append(line(x(fault.atMs()), height - 20))
                .append(text(
                        x(fault.atMs()),
                        TOP - 14,
                        fault.fault().name().toLowerCase(Locale.ROOT).replace('_', ' '))));
        for (int i = 0; i < calls.size(); i++) {
            row(svg, calls.get(i), TOP + i * ROW);
        }
        return svg.append("</svg>\n").toString();
    }

    private void row(StringBuilder svg, Told told, int y) {
        double x = x(told.sinceMs());
        svg.append(String.format(
                Locale.ROOT,
                "<rect x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"12\" fill=\"%s\"/>%n",
                x,
                y,
                Math.max(3, x(told.atMs()) - x),
                color(told.answer())));
        svg.append(text(RIGHT + 12, y + 11, meaning(told)));
        effects.stream()
                .filter(effect -> effect.call().equals(told.call()))
                .forEach(effect -> svg.append(String.format(
                        Locale.ROOT,
                        "<path d=\"M%.1f %d l6 6 l-6 6 l-6 -6 z\" fill=\"#1a7f37\" stroke=\"white\"/>%n",
                        x(effect.atMs()),
                        y)));
    }

    private static String meaning(Told told) {
        boolean altered =
                !told.payload().equals(CampaignNode.Keys.original(told.key())) && told.answer() == Answer.OTHER_PAYLOAD;
        return switch (told.answer()) {
            case RESULT -> "the result";
            case UNKNOWN -> "outcome unknown";
            case DID_NOT_RUN -> "did not run: " + told.value();
            case OTHER_PAYLOAD -> altered ? "altered payload: refused" : "refused: key reused";
            case FAILED -> "failed: " + told.value();
            case LOST -> "the answer was lost";
        };
    }

    private static String color(Answer answer) {
        return switch (answer) {
            case RESULT -> "#4ac26b";
            case UNKNOWN -> "#d4a72c";
            case DID_NOT_RUN -> "#b7bec6";
            case OTHER_PAYLOAD -> "#8250df";
            case FAILED, LOST -> "#cf222e";
        };
    }

    private static String line(double x, int bottom) {
        return String.format(
                Locale.ROOT,
                "<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\" stroke=\"#cf222e\" stroke-dasharray=\"4 3\"/>%n",
                x,
                TOP - 10,
                x,
                bottom);
    }

    private static String text(double x, int y, String text) {
        String escaped = text.replace("&", "&amp;").replace("<", "&lt;");
        return String.format(Locale.ROOT, "<text x=\"%.1f\" y=\"%d\">%s</text>%n", x, y, escaped);
    }
}
