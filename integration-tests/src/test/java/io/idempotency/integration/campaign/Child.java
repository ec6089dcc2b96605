package io.idempotency.integration.campaign;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/** A JVM of the campaign. What it says becomes events, the rest is its log. Thread-safe. */
final class Child {

    private final Process process;
    private final Thread reader;
    private volatile int port = -1;

    private Child(Process process, Consumer<Event> heard, Path log) {
        this.process = process;
        this.reader = new Thread(() -> read(heard, log), "output");
        reader.start();
    }

    static Child start(List<String> command, Consumer<Event> heard, Path log) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().remove("JAVA_TOOL_OPTIONS"); // an option of this run is none of the child's
        return new Child(builder.start(), heard, log);
    }

    private void read(Consumer<Event> heard, Path log) {
        try (BufferedReader lines =
                        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
                BufferedWriter other = Files.newBufferedWriter(log)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (!ChildOutput.said(line)) {
                    other.write(line);
                    other.newLine();
                } else if (ChildOutput.text(line).startsWith(ChildOutput.READY)) {
                    port = Integer.parseInt(ChildOutput.text(line).substring(ChildOutput.READY.length()));
                } else {
                    heard.accept(Event.of(ChildOutput.text(line)));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Where it listens; negative while it is not ready. */
    int port() {
        return port;
    }

    boolean ready() {
        return port >= 0 && process.isAlive();
    }

    long pid() {
        return process.pid();
    }

    boolean alive() {
        return process.isAlive();
    }

    /** SIGKILL. Everything that it said before has been heard when this returns. */
    void kill() throws IOException, InterruptedException {
        signal("KILL"); // Process.destroyForcibly would close this end of the pipe as well
        awaitEnd();
    }

    int awaitEnd() throws InterruptedException {
        reader.join();
        return process.waitFor();
    }

    void signal(String name) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                .start()
                .waitFor();
    }
}
