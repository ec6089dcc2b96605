package io.idempotency.benchmarks;

import io.micronaut.core.type.Argument;
import io.micronaut.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

/** The tables in a directory, one file each; the page and the picture for people and the file for programs are made of them. */
record Results(Path directory) {

    private static final String BEGIN =
            "<!-- written by io.idempotency.benchmarks.Performance: do not edit below -->\n";
    private static final String END = "<!-- end of what is written -->\n";
    /** What the page has no room for; programs find it. */
    private static final Set<String> LEFT_OUT = Set.of("http");

    private static final Set<String> CHARTED = Set.of("redis", "postgresql");
    private static final JsonMapper JSON = JsonMapper.createDefault();
    private static final Argument<Map<String, Object>> OBJECT = Argument.mapOf(String.class, Object.class);

    void keep(Table table) throws IOException, InterruptedException {
        Files.createDirectories(directory);
        String name =
                (table.part() + ' ' + table.title()).toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
        Files.write(directory.resolve(name + ".json"), JSON.writeValueAsBytes(table.json(Machine.here())));
    }

    /** In the order of the parts. What other programs left here is not this page's. */
    void publish(Collection<String> parts, Path page) throws IOException {
        List<Map<String, Object>> tables = new ArrayList<>();
        for (String part : parts) {
            read().stream().filter(table -> part.equals(table.get("benchmark"))).forEach(tables::add);
        }
        Files.write(directory.resolveSibling("results.json"), JSON.writeValueAsBytes(tables));
        String text = Files.readString(page);
        int begin = text.indexOf(BEGIN) + BEGIN.length();
        int end = text.indexOf(END);
        if (begin < BEGIN.length() || end < begin) {
            throw new IOException(page + " has no place for the results: " + BEGIN + END);
        }
        Files.writeString(
                page.resolveSibling("performance.svg"),
                new Chart(tables.stream()
                                .map(Results::table)
                                .filter(table -> CHARTED.contains(table.part()))
                                .toList())
                        .svg());
        StringBuilder written = new StringBuilder(text.substring(0, begin));
        Set<String> machines = new LinkedHashSet<>();
        for (Map<String, Object> table : tables) {
            if (!LEFT_OUT.contains(table.get("benchmark"))) {
                written.append('\n').append(table(table).markdown());
                machines.add("%s, %s, on %s at commit %s."
                        .formatted(
                                String.valueOf(table.get("machine")).replaceAll(", load average [\\d.]+", ""),
                                table.get("java"),
                                table.get("date"),
                                table.get("commit")));
            }
        }
        machines.forEach(machine -> written.append('\n').append(machine).append('\n'));
        Files.writeString(page, written + text.substring(end));
    }

    @SuppressWarnings("unchecked") // as it was written
    private static Table table(Map<String, Object> json) {
        return new Table(
                String.valueOf(json.get("benchmark")),
                String.valueOf(json.get("title")),
                String.valueOf(json.get("text")),
                (List<Map<String, Object>>) Objects.requireNonNull(json.get("rows")));
    }

    private List<Map<String, Object>> read() throws IOException {
        List<Map<String, Object>> read = new ArrayList<>();
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file :
                    files.filter(it -> it.toString().endsWith(".json")).sorted().toList()) {
                byte[] bytes = Files.readAllBytes(file);
                if (bytes.length > 0 && bytes[0] == '{') {
                    read.add(JSON.readValue(bytes, OBJECT));
                }
            }
        }
        return read;
    }
}
