package io.idempotency.demo;

import io.idempotency.test.servers.ChildJvm;
import io.idempotency.test.servers.FreePort;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.awaitility.Awaitility;

/** The packaged demo as a process of its own, as it is deployed, and killed. */
final class DemoProcess implements AutoCloseable {

    private final Process process;
    private final int port;
    private final Path log;

    private DemoProcess(Process process, int port, Path log) {
        this.process = process;
        this.port = port;
        this.log = log;
    }

    /** Starts the jar in a folder that keeps its H2 file, with properties like {@code idempotency.lease=2s}. */
    static DemoProcess start(Path folder, String... properties) throws IOException {
        return start(FreePort.next(), DemoArchive.options(jar()), folder, properties);
    }

    /** The same with other options of the JVM. */
    static DemoProcess startWith(List<String> options, Path folder) throws IOException {
        return start(FreePort.next(), options, folder);
    }

    private static Path jar() {
        return Path.of(System.getProperty("demo.jar")).toAbsolutePath();
    }

    private static DemoProcess start(int port, List<String> options, Path folder, String... properties)
            throws IOException {
        Path log = Files.createTempFile(folder, "demo", ".log");
        List<String> command = ChildJvm.command();
        command.addAll(options);
        command.add("-Dmicronaut.server.port=" + port);
        Arrays.stream(properties).forEach(property -> command.add("-D" + property));
        command.add("-jar");
        command.add(jar().toString());
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        DemoProcess demo = new DemoProcess(builder.start(), port, log);
        Runtime.getRuntime().addShutdownHook(new Thread(demo.process::destroyForcibly));
        try {
            demo.awaitHealth();
        } catch (Throwable e) {
            demo.kill(); // or it would slow the tests that follow down
            throw e;
        }
        return demo;
    }

    /** As long as it lives: on a machine that is overrun a start alone took more than a minute. */
    private void awaitHealth() throws IOException {
        Awaitility.await().atMost(Duration.ofMinutes(5)).ignoreExceptions().until(() -> {
            if (!process.isAlive()) {
                return true;
            }
            return shop().get("/health").contains("\"UP\"");
        });
        if (!process.isAlive()) {
            throw new IllegalStateException("The demo did not start:\n" + Files.readString(log));
        }
    }

    /** Starts it once more, where its clients know it. */
    DemoProcess again(Path folder, String... properties) throws IOException {
        return start(port, DemoArchive.options(jar()), folder, properties);
    }

    /** Where it listens. */
    URI uri() {
        return URI.create("http://127.0.0.1:" + port);
    }

    Shop shop() {
        return new Shop(uri());
    }

    /** SIGKILL: nothing is flushed, nothing is said. */
    void kill() {
        process.destroyForcibly();
        process.onExit().join();
    }

    /** SIGTERM: as orchestrators and people end it. It goes on until it is done. */
    void terminate() {
        process.destroy();
    }

    /** Waits for its own end, for as long as a test may take. */
    void awaitEnd() {
        Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> !process.isAlive());
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** What it has written so far. */
    String log() throws IOException {
        return Files.readString(log);
    }

    /** SIGSTOP: no thread of it runs, and its connections stay open. */
    void pause() throws IOException, InterruptedException {
        signal("STOP");
    }

    /** SIGCONT: it goes on as if nothing had happened. */
    void resume() throws IOException, InterruptedException {
        signal("CONT");
    }

    private void signal(String name) throws IOException, InterruptedException {
        int exit = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                .inheritIO()
                .start()
                .waitFor();
        if (exit != 0) {
            throw new IllegalStateException("kill -" + name + " " + process.pid() + " ended with " + exit);
        }
    }

    @Override
    public void close() {
        process.destroy();
        process.onExit().join();
    }
}
