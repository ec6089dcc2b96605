package io.idempotency.benchmarks;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Locale;

/**
 * Where and when it was measured.
 *
 * @param hardware processors, and how busy they were
 * @param java the JVM
 * @param date in UTC
 * @param commit of the sources, with a plus where they were changed
 */
record Machine(String hardware, String java, String date, String commit) {

    /** So much more to do than a measurement with many callers itself brings. */
    private static final int BUSY = 10;

    static Machine here() throws IOException, InterruptedException {
        String changed =
                output("git", "status", "--porcelain", "--", ":/*/src/main").isEmpty() ? "" : "+";
        double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
        int processors = Runtime.getRuntime().availableProcessors();
        String busy = load > BUSY * processors
                ? ", busy with other work: only the ratios by its processors' time say something"
                : "";
        return new Machine(
                String.format(
                        Locale.ROOT, "%d processors (%s), load average %.1f%s", processors, processor(), load, busy),
                "JDK " + Runtime.version().feature(),
                LocalDate.now(ZoneOffset.UTC).toString(),
                output("git", "rev-parse", "--short", "HEAD") + changed);
    }

    private static String processor() throws IOException {
        Path description = Path.of("/proc/cpuinfo");
        return !Files.isReadable(description)
                ? System.getProperty("os.arch")
                : Files.readAllLines(description).stream()
                        .filter(line -> line.startsWith("model name"))
                        .map(line -> line.substring(line.indexOf(':') + 1).strip())
                        .findFirst()
                        .orElse(System.getProperty("os.arch"));
    }

    private static String output(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        return process.waitFor() == 0 ? said : "unknown";
    }
}
