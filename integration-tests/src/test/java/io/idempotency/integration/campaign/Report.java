package io.idempotency.integration.campaign;

import io.micronaut.core.type.Argument;
import io.micronaut.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The results of all runs, one line of JSON each. With {@code -Dcampaign.page} a run is added to those that are published, in
 * {@code campaign-results.jsonl}, and the tables of that page are written anew from them; otherwise it is kept in {@code target/campaign}.
 */
final class Report {

    private static final @Nullable String PAGE = System.getProperty("campaign.page");
    private static final Path RESULTS =
            Path.of(PAGE == null ? "target/campaign/results.jsonl" : "campaign-results.jsonl");
    private static final String BEGIN = "<!-- written by the campaign: do not edit below -->\n";
    private static final String END = "<!-- end of what is written -->\n";
    private static final JsonMapper JSON = JsonMapper.createDefault();
    private static final Argument<Map<String, Object>> OBJECT = Argument.mapOf(String.class, Object.class);

    /** The columns of the table, and the faults that each sums up. */
    private static final Map<String, Set<Fault>> FAULTS = new LinkedHashMap<>();

    static {
        FAULTS.put("nodes killed", Set.of(Fault.NODE_KILLED));
        FAULTS.put("nodes paused", Set.of(Fault.NODE_STOPPED));
        FAULTS.put(
                "stores killed, paused, restarted",
                Set.of(Fault.STORE_KILLED, Fault.STORE_STOPPED, Fault.STORE_RESTARTED));
        FAULTS.put(
                "connections cut or stalled",
                Set.of(
                        Fault.CONNECTIONS_RESET,
                        Fault.REPLIES_RESET,
                        Fault.REPLIES_LOST,
                        Fault.STALLED,
                        Fault.SESSIONS_ENDED));
        FAULTS.put("read only", Set.of(Fault.READ_ONLY));
        FAULTS.put("fail-overs", Set.of(Fault.FAIL_OVER));
    }

    private Report() {}

    static void add(long seed, Campaign campaign, List<String> violations) throws IOException {
        Map<String, Object> run = new LinkedHashMap<>();
        run.put("date", LocalDate.now().toString());
        run.put("java", System.getProperty("java.version"));
        run.put("store", campaign.store().toString());
        run.put("seed", seed);
        run.put("calls", campaign.history().calls());
        run.put("keys", campaign.history().keys().size());
        run.put("answers", new TreeMap<>(campaign.history().answers()));
        run.put("faults", new TreeMap<>(campaign.faults()));
        run.put("violations", violations.size());
        Files.createDirectories(RESULTS.toAbsolutePath().getParent());
        Files.write(RESULTS, JSON.writeValueAsBytes(run), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        Files.writeString(RESULTS, "\n", StandardOpenOption.APPEND);
        if (PAGE != null) {
            write(Path.of(PAGE));
            draw(campaign.history(), Path.of(PAGE.replace(".md", ".svg")));
        }
    }

    private static void draw(History history, Path file) throws IOException {
        Optional<HistoryPicture> picture = HistoryPicture.of(history);
        if (picture.isPresent()) {
            Files.writeString(file, picture.get().svg());
        }
    }

    private static void write(Path page) throws IOException {
        Map<String, List<Map<String, Object>>> stores = new TreeMap<>();
        for (String line : Files.readAllLines(RESULTS)) {
            Map<String, Object> run = JSON.readValue(line, OBJECT);
            stores.computeIfAbsent(String.valueOf(run.get("store")), store -> new ArrayList<>())
                    .add(run);
        }
        StringBuilder table = new StringBuilder("\n| store | runs | calls | keys |");
        FAULTS.keySet().forEach(column -> table.append(' ').append(column).append(" |"));
        table.append(" violations |\n").append("|---".repeat(FAULTS.size() + 5)).append("|\n");
        stores.forEach((store, runs) -> table.append(row(store, runs)));
        List<Map<String, Object>> all =
                stores.values().stream().flatMap(List::stream).toList();
        table.append(row("**all**", all));
        long keys = sum(all, "keys");
        if (sum(all, "violations") == 0) {
            table.append(String.format(
                    Locale.ROOT,
                    "%nNo violation in %,d keys: fewer than one key in %,d, with 95 %% confidence (the rule of three).%n",
                    keys,
                    keys / 3));
        }
        String text = Files.readString(page);
        int begin = text.indexOf(BEGIN) + BEGIN.length();
        int end = text.indexOf(END);
        Files.writeString(page, text.substring(0, begin) + table + text.substring(end));
    }

    private static String row(String store, List<Map<String, Object>> runs) {
        StringBuilder row = new StringBuilder(String.format(
                Locale.ROOT, "| %s | %d | %,d | %,d |", store, runs.size(), sum(runs, "calls"), sum(runs, "keys")));
        for (Set<Fault> faults : FAULTS.values()) {
            long happened = runs.stream()
                    .map(run -> (Map<?, ?>) run.get("faults"))
                    .flatMap(counts -> faults.stream().map(fault -> counts.get(fault.name())))
                    .mapToLong(count -> count == null ? 0 : ((Number) count).longValue())
                    .sum();
            row.append(' ').append(happened).append(" |");
        }
        return row.append(' ').append(sum(runs, "violations")).append(" |\n").toString();
    }

    private static long sum(List<Map<String, Object>> runs, String field) {
        return runs.stream()
                .mapToLong(run -> ((Number) run.get(field)).longValue())
                .sum();
    }
}
