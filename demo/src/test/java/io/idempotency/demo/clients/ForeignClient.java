package io.idempotency.demo.clients;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Clients of node and python in processes of their own. Their packages are taken from the folder that
 * {@code idempotency.test.node-modules} names, or that is in {@code target/foreign-clients}; otherwise npm and pip are asked
 * to install them there, as they are configured on this machine.
 */
final class ForeignClient {

    private static final Path HOME = Path.of("target/foreign-clients").toAbsolutePath();
    private static final List<String> PACKAGES = List.of("stripe", "axios", "axios-retry", "got", "undici");

    private ForeignClient() {}

    /** The command of a client; empty where it cannot run here. */
    static Optional<List<String>> command(String client) {
        try {
            Files.createDirectories(HOME);
            return client.equals("urllib3") ? python() : node().map(script -> List.of("node", script, client));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Optional<String> node() throws IOException {
        String given = System.getProperty("idempotency.test.node-modules");
        Path modules = HOME.resolve("node_modules");
        if (given != null && Files.notExists(modules)) {
            Files.createSymbolicLink(modules, Path.of(given).toAbsolutePath());
        }
        boolean there = PACKAGES.stream().allMatch(name -> Files.isDirectory(modules.resolve(name)));
        if (!there && given == null) {
            Stream<String> install =
                    Stream.of("npm", "install", "--no-audit", "--no-fund", "--prefix", HOME.toString());
            there = ran(Stream.concat(install, PACKAGES.stream()).toArray(String[]::new));
        }
        return there && ran("node", "--version") ? Optional.of(script("client.mjs")) : Optional.empty();
    }

    private static Optional<List<String>> python() throws IOException {
        Path packages = HOME.resolve("python");
        boolean there = ran("python3", "-c", "import urllib3.util.retry; urllib3.Retry")
                || Files.isDirectory(packages.resolve("urllib3"))
                || ran("python3", "-m", "pip", "install", "--quiet", "--target", packages.toString(), "urllib3");
        return there ? Optional.of(List.of("python3", script("client.py"), "urllib3")) : Optional.empty();
    }

    private static String script(String name) throws IOException {
        Path script = HOME.resolve(name);
        try (var content = ForeignClient.class.getResourceAsStream("/clients/" + name)) {
            Files.write(script, content.readAllBytes());
        }
        return script.toString();
    }

    private static boolean ran(String... command) {
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            if (process.waitFor(120, TimeUnit.SECONDS)) {
                return process.exitValue() == 0;
            }
            process.destroyForcibly();
            return false;
        } catch (IOException e) {
            return false; // there is no such program
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** What it prints: status, mark and id. */
    static String output(List<String> command, String... arguments) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(
                Stream.concat(command.stream(), Arrays.stream(arguments)).toList());
        builder.environment().merge("PYTHONPATH", HOME.resolve("python").toString(), (a, b) -> a + ":" + b);
        Process process = builder.redirectErrorStream(true).start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return printed.strip();
    }
}
