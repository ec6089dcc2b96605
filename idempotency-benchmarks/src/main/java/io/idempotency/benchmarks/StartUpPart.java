package io.idempotency.benchmarks;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What the library adds to an application that starts, by its modules. */
final class StartUpPart {

    private static final List<String> COLUMNS = List.of("ms", "beans", "classes", "heap kB");

    private StartUpPart() {}

    static List<Table> measure(Settings settings) throws Exception {
        Path probe = Files.createTempDirectory("start-up");
        String name = StartUpProbe.class.getName().replace('.', '/') + ".class";
        Path copy = probe.resolve(name);
        Files.createDirectories(Objects.requireNonNull(copy.getParent()));
        try (InputStream bytes = StartUpPart.class.getResourceAsStream('/' + name)) {
            Files.copy(Objects.requireNonNull(bytes, name), copy);
        }
        Map<String, String> modules = new LinkedHashMap<>();
        modules.put("without the library", "idempotency-");
        modules.put("memory store", "idempotency-(jdbc|redis|http-server)");
        modules.put("with JDBC, Redis and HTTP", "idempotency-none");
        Map<String, List<double[]>> runs = new LinkedHashMap<>();
        for (int round = 0; round < settings.rounds(); round++) {
            for (Map.Entry<String, String> side : modules.entrySet()) {
                runs.computeIfAbsent(side.getKey(), it -> new ArrayList<>()).add(run(probe, side.getValue()));
            }
        }
        List<Map<String, Object>> rows = new ArrayList<>();
        runs.forEach((side, all) -> {
            Map<String, Object> row = Table.row("application", side);
            for (int column = 0; column < COLUMNS.size(); column++) {
                int at = column;
                double[] values =
                        all.stream().mapToDouble(run -> run[at]).sorted().toArray();
                row.put(COLUMNS.get(column), values[values.length / 2]);
            }
            rows.add(row);
        });
        return List.of(new Table(
                "start-up",
                "Start-up",
                "An application without beans of its own, in a process of its own: milliseconds until its context runs, beans that"
                        + " it knows, classes loaded, and heap in use after a collection. Medians of the rounds.",
                rows));
    }

    private static double[] run(Path probe, String left) throws IOException, InterruptedException {
        Pattern out = Pattern.compile(".*/(" + left + ")[^/]*(/target/classes|[^/]*\\.jar)");
        Pattern ours = Pattern.compile(".*/idempotency-benchmarks[^/]*(/target/(peers/)?classes)?");
        Pattern peers = Pattern.compile(
                ".*/(org/springframework|org/aspectj|tools/jackson|com/trendyol|io/github/arun0009|jakarta/servlet)/.*");
        List<String> path = new ArrayList<>(List.of(probe.toString()));
        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> Stream.of(out, ours, peers)
                        .noneMatch(pattern -> pattern.matcher(entry).matches()))
                .forEach(path::add);
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        String.join(File.pathSeparator, path),
                        StartUpProbe.class.getName())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        String line = said.lines()
                .filter(it -> it.startsWith("probe "))
                .findFirst()
                .orElseThrow(() -> new IOException("The application did not start: " + said));
        return Arrays.stream(line.substring("probe ".length()).split(" ", -1))
                .mapToDouble(Double::parseDouble)
                .toArray();
    }
}
