package io.idempotency.integration.campaign;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What a JVM on Linux holds at a moment.
 *
 * @param heapKb what is reachable: measured after a full collection
 * @param threads of Java and of the virtual machine
 * @param sockets open, of clients and of the store
 * @param files open, sockets among them
 */
record Footprint(long heapKb, long threads, long sockets, long files) {

    private static final Pattern USED = Pattern.compile("(?:new generation|tenured generation).* used (\\d+)K");

    /** Looks at a process; empty where it ends meanwhile. */
    static Optional<Footprint> of(long pid) throws InterruptedException {
        try {
            jcmd(pid, "GC.run");
            long heapKb = 0;
            Matcher used = USED.matcher(jcmd(pid, "GC.heap_info"));
            while (used.find()) {
                heapKb += Long.parseLong(used.group(1));
            }
            Path process = Path.of("/proc", Long.toString(pid));
            List<Path> files = entries(process.resolve("fd"));
            long sockets = files.stream().filter(Footprint::isSocket).count();
            return Optional.of(
                    new Footprint(heapKb, entries(process.resolve("task")).size(), sockets, files.size()));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private static List<Path> entries(Path folder) throws IOException {
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.toList();
        }
    }

    private static boolean isSocket(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString().startsWith("socket:");
        } catch (IOException e) {
            return false; // closed meanwhile
        }
    }

    private static String jcmd(long pid, String command) throws IOException, InterruptedException {
        Path tool = Path.of(System.getProperty("java.home"), "bin", "jcmd");
        Process process = new ProcessBuilder(tool.toString(), Long.toString(pid), command)
                .redirectErrorStream(true)
                .start();
        try (var output = process.getInputStream()) {
            String said = new String(output.readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() != 0) {
                throw new IOException(command + " of " + pid + ": " + said);
            }
            return said;
        }
    }
}
