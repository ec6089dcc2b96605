package io.idempotency.integration.paused;

import io.idempotency.ApplicationShuttingDownException;
import io.idempotency.test.servers.ChildJvm;
import io.micronaut.context.ApplicationContext;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;

/** A process of its own that calls {@link PausedPayment}, and stops where it is told to. */
final class PausedNode implements AutoCloseable {

    private static final String ANSWER = "> ";

    private final Process process;
    private final BufferedReader answers;
    private final PrintStream orders;

    private PausedNode(Process process) {
        this.process = process;
        this.answers = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        this.orders = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
    }

    static PausedNode start(Map<String, Object> properties) throws IOException {
        List<String> command = ChildJvm.command(PausedNode.class);
        properties.forEach((name, value) -> command.add(name + '=' + value));
        PausedNode node = new PausedNode(new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
        node.answer();
        return node;
    }

    void order(String order) {
        orders.println(order);
    }

    String answer() throws IOException {
        for (String line = answers.readLine(); line != null; line = answers.readLine()) {
            if (line.startsWith(ANSWER)) {
                return line.substring(ANSWER.length());
            }
        }
        throw new IllegalStateException("The node has ended");
    }

    /** SIGSTOP, until it stands still: the kernel stops a process when one of its threads comes to it. */
    void stop() throws IOException, InterruptedException {
        signal("STOP");
        Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> state().startsWith("T"));
    }

    /** SIGCONT: it goes on as if nothing had happened. */
    void goOn() throws IOException, InterruptedException {
        signal("CONT");
    }

    private String state() throws IOException {
        Process ps = new ProcessBuilder("ps", "-o", "state=", "-p", Long.toString(process.pid())).start();
        return new String(ps.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    }

    private void signal(String name) throws IOException, InterruptedException {
        int exit = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                .inheritIO()
                .start()
                .waitFor();
        if (exit != 0) {
            throw new IllegalStateException("kill -" + name + " ended with " + exit);
        }
    }

    int awaitEnd() throws InterruptedException {
        return process.waitFor();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    static synchronized void answer(String text) {
        System.out.println(ANSWER + text);
        System.out.flush();
    }

    /** The process. It reads orders on its main thread only, so that an order sent while it stands still is obeyed afterwards. */
    public static void main(String[] arguments) throws Exception {
        Map<String, Object> properties = new HashMap<>();
        for (String argument : arguments) {
            properties.put(argument.substring(0, argument.indexOf('=')), argument.substring(argument.indexOf('=') + 1));
        }
        ApplicationContext context = ApplicationContext.run(properties, "test");
        PausedPayment payment = context.getBean(PausedPayment.class);
        Gate gate = context.getBean(Gate.class);
        answer("ready");
        BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String order = orders.readLine(); order != null; order = orders.readLine()) {
            String[] words = order.split(" ", -1);
            switch (words[0]) {
                case "call" -> {
                    gate.arm(words[2]);
                    new Thread(() -> answer(paid(payment, words[1])), "caller").start();
                }
                case "go" -> gate.open();
                case "runs" -> answer(Integer.toString(payment.runs()));
                case "close" -> {
                    CompletableFuture.runAsync(context::close).thenRun(() -> System.exit(0));
                    awaitShutdown(payment);
                    answer("closing");
                }
                default -> throw new IllegalArgumentException(order);
            }
        }
    }

    private static String paid(PausedPayment payment, String key) {
        try {
            return payment.pay(key);
        } catch (Exception e) {
            return e.getClass().getSimpleName();
        }
    }

    private static void awaitShutdown(PausedPayment payment) throws InterruptedException {
        while (true) {
            try {
                payment.pay("probe-" + UUID.randomUUID());
            } catch (ApplicationShuttingDownException e) {
                return;
            }
            TimeUnit.MILLISECONDS.sleep(10);
        }
    }
}
