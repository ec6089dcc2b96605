package io.idempotency.test.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What the servers have to know of the machine they run on. */
final class Host {

    private static final List<List<String>> AS_ANOTHER_USER = List.of(
            List.of("unshare", "-U"),
            List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"),
            List.of("runuser", "-u", "nobody", "--"));

    private Host() {}

    static boolean isWindows() {
        return os().startsWith("windows");
    }

    /** For instance {@code linux}. */
    static String platform() {
        if (isWindows()) {
            throw new IllegalStateException("On Windows the test servers run in containers: start Docker");
        }
        return os().startsWith("mac") ? "darwin" : "linux";
    }

    static boolean isArm() {
        return System.getProperty("os.arch").matches("aarch64|arm64");
    }

    /**
     * The command prefix under which a server that refuses to run as root runs. Which one works depends on how the
     * surrounding container was started, so each is tried.
     *
     * @return empty when this JVM does not run as root
     */
    static List<String> unprivileged() {
        if (!run(List.of("id", "-u")).strip().equals("0")) {
            return List.of();
        }
        return AS_ANOTHER_USER.stream()
                .filter(Host::changesUser)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("The tests run as root, which PostgreSQL refuses, and none"
                        + " of unshare, setpriv and runuser lets a process run as another user"));
    }

    private static boolean changesUser(List<String> prefix) {
        try {
            return !run(concat(prefix, List.of("id", "-u"))).strip().equals("0");
        } catch (IllegalStateException | UncheckedIOException notHere) {
            return false;
        }
    }

    /** Gives the directory to the user that {@link #unprivileged()} changes to; a user namespace needs no change. */
    static void handOver(Path directory, List<String> prefix) {
        if (prefix.isEmpty() || prefix.contains("unshare")) {
            return;
        }
        try {
            Files.setOwner(
                    directory,
                    directory.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("nobody"));
        } catch (IOException e) {
            throw new UncheckedIOException("Could not give " + directory + " to the user nobody", e);
        }
    }

    /** Runs a command to its end; what it printed is the answer. */
    static String run(List<String> command) {
        try {
            Process process = new ProcessBuilder(command)
                    .directory(Path.of("/").toFile())
                    .redirectErrorStream(true)
                    .start();
            String printed =
                    new String(process.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
            int status = process.onExit().join().exitValue();
            if (status != 0) {
                throw new IllegalStateException(command + " ended with " + status + ": " + printed);
            }
            return printed;
        } catch (IOException e) {
            throw new UncheckedIOException("Could not run " + command, e);
        }
    }

    static List<String> concat(List<String> first, List<String> second) {
        List<String> both = new ArrayList<>(first);
        both.addAll(second);
        return both;
    }

    private static String os() {
        return System.getProperty("os.name").toLowerCase(Locale.ROOT);
    }
}
