package io.idempotency.integration.waiting;

import io.idempotency.IdempotencyException;
import io.idempotency.test.servers.ChildJvm;
import io.micronaut.context.ApplicationContext;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** One JVM of the application; it does what it is told line by line, and answers every line with one. */
final class Node implements AutoCloseable {

    private static final String KEY = "the one key";
    private static final String ANSWER = "> ";

    private final Process process;
    private final BufferedReader answers;
    private final PrintStream orders;

    private Node(Process process) {
        this.process = process;
        this.answers = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        this.orders = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
    }

    static Node start(Map<String, String> properties) throws IOException {
        List<String> command = ChildJvm.command(Node.class);
        properties.forEach((name, value) -> command.add(name + '=' + value));
        Node node = new Node(new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
        node.answer();
        return node;
    }

    /** Makes so many calls at once, and returns when they are on their way. */
    void call(int times) throws IOException {
        order("call " + times);
    }

    /** Makes so many calls that do not wait for each other. */
    void callWithoutWaiting(int times) throws IOException {
        order("try " + times);
    }

    /** How often the body was started. */
    int runs() throws IOException {
        return Integer.parseInt(order("runs"));
    }

    /** Ends the body, if it runs there. */
    void finish() throws IOException {
        order("finish");
    }

    /** Waits for all calls; the different answers they got, and how often the body ran. */
    String results() throws IOException {
        return order("results");
    }

    private String order(String line) throws IOException {
        orders.println(line);
        return answer();
    }

    private String answer() throws IOException {
        for (String line = answers.readLine(); line != null; line = answers.readLine()) {
            if (line.startsWith(ANSWER)) {
                return line.substring(ANSWER.length());
            }
        }
        throw new IOException("The node has gone");
    }

    /** It also ends when its orders do. */
    @Override
    public void close() {
        orders.close();
        process.destroy();
        process.onExit().join();
    }

    public static void main(String[] arguments) throws Exception {
        Map<String, Object> properties = new HashMap<>();
        for (String argument : arguments) {
            int equals = argument.indexOf('=');
            properties.put(argument.substring(0, equals), argument.substring(equals + 1));
        }
        try (ApplicationContext application = ApplicationContext.run(properties, "test")) {
            SlowPayment payment = application.getBean(SlowPayment.class);
            List<CompletableFuture<String>> calls = new ArrayList<>();
            BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            System.out.println(ANSWER + "ready");
            for (String order = orders.readLine(); order != null; order = orders.readLine()) {
                System.out.println(ANSWER + obey(order, payment, calls));
            }
        }
    }

    private static String obey(String order, SlowPayment payment, List<CompletableFuture<String>> calls)
            throws Exception {
        if (order.startsWith("call ")) {
            for (int i = Integer.parseInt(order.substring(5)); i > 0; i--) {
                calls.add(payment.pay(KEY));
            }
            return "called";
        }
        if (order.startsWith("try ")) {
            for (int i = Integer.parseInt(order.substring(4)); i > 0; i--) {
                calls.add(payment.payOrRefuse(KEY));
            }
            return "called";
        }
        if (order.equals("runs")) {
            return "" + payment.runs();
        }
        if (order.equals("finish")) {
            payment.finish(KEY, "paid");
            return "finished";
        }
        TreeSet<String> answers = new TreeSet<>();
        for (CompletableFuture<String> call : calls) {
            answers.add(call.handle((answer, failure) -> failure == null ? answer : refusal(failure))
                    .get(60, TimeUnit.SECONDS));
        }
        return calls.size() + " " + answers + " in " + payment.runs() + " runs";
    }

    private static String refusal(Throwable failure) {
        return failure instanceof IdempotencyException refusal ? refusal.code() : failure.toString();
    }
}
