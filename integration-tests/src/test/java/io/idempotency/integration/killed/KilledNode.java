package io.idempotency.integration.killed;

import io.idempotency.test.servers.ChildJvm;
import io.micronaut.context.ApplicationContext;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;

/** A process of its own whose callers call until it is killed; or call each of some keys once more. */
final class KilledNode {

    static final String PROPERTY = "test.killed";

    /** Since when there are keys. */
    static final String SINCE = PROPERTY + ".since";

    /** A file of keys that are called once more. */
    static final String AGAIN = PROPERTY + ".again";

    private static final String ANSWER = "> ";
    private static final String READY = "ready";

    private final Process process;
    private final CountDownLatch ready = new CountDownLatch(1);
    private final Thread reader;

    private KilledNode(Process process, Consumer<Told> told, Path log) {
        this.process = process;
        this.reader = new Thread(() -> read(told, log), "answers");
        reader.start();
    }

    static KilledNode start(Map<String, Object> properties, Consumer<Told> told, Path log) throws IOException {
        List<String> command = ChildJvm.command(KilledNode.class);
        properties.forEach((name, value) -> command.add(name + '=' + value));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().remove("JAVA_TOOL_OPTIONS"); // a property of this run is none of the application's
        return new KilledNode(builder.start(), told, log);
    }

    private void read(Consumer<Told> told, Path log) {
        try (BufferedReader lines =
                        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
                BufferedWriter other = Files.newBufferedWriter(log)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                // whoever is killed may have written half a line
                if (line.startsWith(ANSWER) && line.endsWith(ANSWER.strip())) {
                    String answer = line.substring(ANSWER.length(), line.length() - 1);
                    if (answer.equals(READY)) {
                        ready.countDown();
                    } else {
                        told.accept(Told.of(answer));
                    }
                } else {
                    other.write(line);
                    other.newLine();
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    boolean ready() {
        return ready.getCount() == 0;
    }

    boolean alive() {
        return process.isAlive();
    }

    /** SIGKILL; whatever it said before has been heard when this returns. */
    void kill() throws IOException, InterruptedException {
        signal("KILL"); // Process would close its end of the pipe as well
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

    /** One line, so that lines of the log come between answers only. */
    private static synchronized void answer(String text) {
        System.out.println(ANSWER + text + ANSWER.strip());
    }

    /** The process: {@code name=value} for each property of its application. */
    public static void main(String[] arguments) throws Exception {
        Map<String, Object> properties = new HashMap<>();
        for (String argument : arguments) {
            properties.put(argument.substring(0, argument.indexOf('=')), argument.substring(argument.indexOf('=') + 1));
        }
        Thread.currentThread().setUncaughtExceptionHandler((thread, failure) -> {
            failure.printStackTrace();
            Runtime.getRuntime().halt(1);
        });
        ApplicationContext application = ApplicationContext.run(properties, "test");
        Callers callers = new Callers(application, told -> answer(told.line()));
        answer(READY);
        String again = (String) properties.get(AGAIN);
        if (again == null) {
            callers.callForEver(application, Long.parseLong((String) properties.get(SINCE)));
        } else {
            callAgain(application, callers, Files.readAllLines(Path.of(again)));
        }
        endWithParent();
    }

    /** Nobody holds a claim any more, or will before long. */
    private static void callAgain(ApplicationContext application, Callers callers, List<String> all) {
        ConcurrentLinkedQueue<String> keys = new ConcurrentLinkedQueue<>(all);
        CountDownLatch left = new CountDownLatch(all.size());
        Callers.start(application, () -> {
            for (String key = keys.poll(); key != null; key = keys.poll()) {
                long since = System.nanoTime();
                Told told = callers.pay(key);
                while (told.what() == Told.What.NOTHING_DONE && System.nanoTime() - since < 20_000_000_000L) {
                    Effects.pause(200);
                    told = callers.pay(key);
                }
                answer(told.line());
                left.countDown();
            }
        });
        new Thread(() -> {
                    try {
                        left.await();
                        System.exit(0);
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                })
                .start();
    }

    private static void endWithParent() throws IOException {
        while (System.in.read() >= 0) {
            // it writes nothing
        }
        Runtime.getRuntime().halt(1);
    }
}
