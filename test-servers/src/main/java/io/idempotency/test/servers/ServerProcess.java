package io.idempotency.test.servers;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/**
 * One server process, wrapped in a shell that kills it and deletes its directory when this JVM is gone: the shell holds
 * the other end of a pipe that breaks even if the JVM dies by SIGKILL.
 */
final class ServerProcess {

    /** $0 is the server's directory, the rest its command line; the first line printed is the server's process id. */
    private static final String WRAPPER = """
            exec 3<&0
            "$@" </dev/null >&2 3<&- & p=$!
            echo $p
            exec >&2
            (cat <&3 >/dev/null; trap '' TERM; kill -9 $p; sleep 1; rm -rf "$0" "$0.log") & w=$!
            exec 3<&- </dev/null
            wait $p; s=$?
            kill $w
            exit $s
            """;

    /** One that dies is noticed at once: this is for machines that are overrun, where a start took more than a minute. */
    private static final Duration START_TIMEOUT = Duration.ofMinutes(5);

    private final Process shell;
    private final ProcessHandle server;
    private final Path log;

    private ServerProcess(Process shell, ProcessHandle server, Path log) {
        this.shell = shell;
        this.server = server;
        this.log = log;
    }

    /** Starts the command and waits until its log says that it is ready. */
    static ServerProcess start(List<String> asUser, List<String> command, Path directory, String readyLine) {
        Path log = logOf(directory);
        List<String> wrapped = new ArrayList<>(asUser);
        wrapped.addAll(List.of("sh", "-c", WRAPPER, directory.toString()));
        wrapped.addAll(command);
        try {
            // any directory that every user may enter
            Process shell = new ProcessBuilder(wrapped)
                    .directory(Path.of("/").toFile())
                    .redirectError(log.toFile())
                    .start();
            ServerProcess started = new ServerProcess(shell, serverOf(shell, log), log);
            started.awaitLine(readyLine);
            return started;
        } catch (IOException e) {
            throw new UncheckedIOException("Could not start " + command, e);
        }
    }

    /** Beside the directory, which may belong to another user. */
    static Path logOf(Path directory) {
        return directory.resolveSibling(directory.getFileName() + ".log");
    }

    private static ProcessHandle serverOf(Process shell, Path log) throws IOException {
        BufferedReader out = shell.inputReader();
        String pid = out.readLine();
        return Optional.ofNullable(pid)
                .flatMap(text -> ProcessHandle.of(Long.parseLong(text)))
                .orElseThrow(() -> new IllegalStateException("The server ended at once: " + content(log)));
    }

    private void awaitLine(String readyLine) {
        try {
            Awaitility.await()
                    .pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofMillis(5))
                    .atMost(START_TIMEOUT)
                    .failFast("The server ended before it was ready", () -> !shell.isAlive())
                    .until(() -> content(log).contains(readyLine));
        } catch (RuntimeException e) {
            kill();
            throw new IllegalStateException("The server did not become ready: " + content(log), e);
        }
    }

    /** SIGKILL to the server and the processes it started; returns when all of them are gone. */
    void kill() {
        List<ProcessHandle> all = family();
        all.forEach(ProcessHandle::destroyForcibly);
        awaitEnd(all);
    }

    /** An orderly stop by the given signal, by force when it takes too long. */
    void stop(String signal) {
        List<ProcessHandle> all = family();
        resume();
        signal(signal, List.of(server));
        try {
            if (!shell.waitFor(10, TimeUnit.SECONDS)) {
                all.forEach(ProcessHandle::destroyForcibly);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            all.forEach(ProcessHandle::destroyForcibly);
        }
        awaitEnd(all);
    }

    /** The server first, so that it starts no more processes meanwhile. */
    void pause() {
        signal("STOP", List.of(server));
        signal("STOP", server.descendants().toList());
    }

    void resume() {
        signal("CONT", family());
    }

    private List<ProcessHandle> family() {
        return Stream.concat(Stream.of(server), server.descendants()).toList();
    }

    private void awaitEnd(List<ProcessHandle> all) {
        // bounded: where nothing reaps orphans, one that ended seems to live on
        all.forEach(each ->
                each.onExit().completeOnTimeout(each, 5, TimeUnit.SECONDS).join());
        shell.onExit().join();
    }

    private static void signal(String name, List<ProcessHandle> targets) {
        List<String> command = new ArrayList<>(List.of("sh", "-c", "kill -" + name + " \"$@\"", "sh"));
        targets.stream().filter(ProcessHandle::isAlive).forEach(target -> command.add(Long.toString(target.pid())));
        try {
            // a process of the family that ended meanwhile makes kill complain, which is no fault
            new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .onExit()
                    .join();
        } catch (IOException e) {
            throw new UncheckedIOException("Could not send SIG" + name, e);
        }
    }

    private static String content(Path log) {
        try {
            return Files.readString(log);
        } catch (IOException e) {
            throw new UncheckedIOException("Could not read the server's log " + log, e);
        }
    }
}
