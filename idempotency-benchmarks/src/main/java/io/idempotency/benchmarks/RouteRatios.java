package io.idempotency.benchmarks;

import io.idempotency.benchmarks.RouteLoad.Side;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * Requests per second of a route that does nothing, as it is and protected, on the memory store: a Netty server in a process of
 * its own, the sides in turns. Each round gives a ratio to the plain route of the same round: 1.00 is as fast, 0.80 is four
 * requests where it does five. On a machine that others use too the server's CPU time per request says more than the clock.
 */
public final class RouteRatios {

    private static final int CONNECTIONS = 16;
    private static final Duration WARM_UP = Duration.ofSeconds(12);
    private static final Side PLAIN = new Side("plain", "/noop/plain", true);

    private RouteRatios() {}

    /** One side in one round. */
    private record Measured(double perSecond, double cpuMicros) {}

    /**
     * Measures.
     *
     * @param arguments rounds (40), milliseconds per side and round (500), and the kinds of routes (annotated, configured)
     */
    public static void main(String[] arguments) throws IOException, InterruptedException, ExecutionException {
        int rounds = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 40;
        long millis = arguments.length > 1 ? Long.parseLong(arguments[1]) : 500;
        List<String> kinds = arguments.length > 2
                ? List.of(arguments).subList(2, arguments.length)
                : List.of("annotated", "configured");
        for (String kind : kinds) {
            List<Side> sides = List.of(
                    PLAIN,
                    new Side(kind + ", first request", "/noop/" + kind, true),
                    new Side(kind + ", replay", "/noop/" + kind, false));
            try (RouteProcess server = new RouteProcess(kind)) {
                print(measured(server, sides, rounds, millis));
            }
        }
    }

    private static Map<Side, List<Measured>> measured(RouteProcess server, List<Side> sides, int rounds, long millis)
            throws IOException, InterruptedException, ExecutionException {
        Map<Side, List<Measured>> measured = new LinkedHashMap<>();
        try (RouteLoad load = new RouteLoad(server.port(), CONNECTIONS)) {
            for (Side side : sides) {
                load.requests(side, WARM_UP.toMillis());
            }
            for (int round = 0; round < rounds; round++) {
                for (Side side : sides) {
                    measured.computeIfAbsent(side, it -> new ArrayList<>()).add(measured(server, load, side, millis));
                }
            }
        }
        return measured;
    }

    private static Measured measured(RouteProcess server, RouteLoad load, Side side, long millis)
            throws InterruptedException, ExecutionException {
        long cpu = server.cpuNanos();
        long started = System.nanoTime();
        long requests = load.requests(side, millis);
        double nanos = System.nanoTime() - started;
        return new Measured(requests * 1e9 / nanos, (server.cpuNanos() - cpu) / 1e3 / requests);
    }

    private static void print(Map<Side, List<Measured>> measured) {
        List<Measured> plain = measured.getOrDefault(PLAIN, List.of());
        System.out.printf("%-26s %10s  %-18s %8s  %-18s%n", "", "requests/s", "ratio", "CPU µs", "ratio");
        measured.forEach((side, rounds) -> System.out.printf(
                "%-26s %10.0f  %-18s %8.1f  %-18s%n",
                side.name(),
                quartile(2, sorted(rounds, Measured::perSecond)),
                ratios(rounds, plain, Measured::perSecond),
                quartile(2, sorted(rounds, Measured::cpuMicros)),
                ratios(plain, rounds, Measured::cpuMicros)));
    }

    /** Median and quartiles of what each round says. */
    private static String ratios(List<Measured> ones, List<Measured> others, ToDoubleFunction<Measured> value) {
        double[] ratios = IntStream.range(0, ones.size())
                .mapToDouble(i -> value.applyAsDouble(ones.get(i)) / value.applyAsDouble(others.get(i)))
                .sorted()
                .toArray();
        return "%.2f (%.2f..%.2f)".formatted(quartile(2, ratios), quartile(1, ratios), quartile(3, ratios));
    }

    private static double[] sorted(List<Measured> rounds, ToDoubleFunction<Measured> value) {
        return rounds.stream().mapToDouble(value).sorted().toArray();
    }

    private static double quartile(int number, double[] sorted) {
        return sorted[(sorted.length - 1) * number / 4];
    }
}
