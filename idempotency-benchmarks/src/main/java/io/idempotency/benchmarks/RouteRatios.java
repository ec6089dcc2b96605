package io.idempotency.benchmarks;

import io.idempotency.benchmarks.RouteLoad.Side;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;

/**
 * Requests per second of a route that does nothing, protected and not, on the memory store: a Netty server in a process of
 * its own, the sides in turns. On a machine that others use too the server's CPU time per request says more than the
 * clock, so both are printed as ratios to the plain route: 1.00 is as fast, 0.80 is four requests where it does five.
 */
public final class RouteRatios {

    private static final int CONNECTIONS = 16;
    private static final List<Side> SIDES = List.of(
            new Side("plain", "/noop/plain", true),
            new Side("annotated, first request", "/noop/annotated", true),
            new Side("annotated, replay", "/noop/annotated", false),
            new Side("configured, first request", "/noop/configured", true),
            new Side("configured, replay", "/noop/configured", false));

    private RouteRatios() {}

    /** One side in one round. */
    private record Measured(double perSecond, double cpuMicros) {}

    /**
     * Measures.
     *
     * @param arguments rounds (7) and milliseconds per side and round (2000)
     */
    public static void main(String[] arguments) throws IOException, InterruptedException, ExecutionException {
        int rounds = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 7;
        long millis = arguments.length > 1 ? Long.parseLong(arguments[1]) : 2000;
        Process server = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx512m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        RouteServer.class.getName())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            print(measured(server, rounds, millis));
        } finally {
            server.destroy();
        }
    }

    private static Map<Side, List<Measured>> measured(Process server, int rounds, long millis)
            throws IOException, InterruptedException, ExecutionException {
        RouteLoad load = new RouteLoad(port(server), CONNECTIONS);
        Map<Side, List<Measured>> measured = new LinkedHashMap<>();
        for (int round = -2; round < rounds; round++) { // the first two warm up
            for (Side side : SIDES) {
                Duration before = cpu(server);
                long started = System.nanoTime();
                long requests = load.requests(side, millis);
                double seconds = (System.nanoTime() - started) / 1e9;
                double cpuMicros = cpu(server).minus(before).toNanos() / 1e3 / requests;
                if (round >= 0) {
                    measured.computeIfAbsent(side, it -> new ArrayList<>())
                            .add(new Measured(requests / seconds, cpuMicros));
                }
            }
        }
        return measured;
    }

    private static int port(Process server) throws IOException {
        BufferedReader lines =
                new BufferedReader(new InputStreamReader(server.getInputStream(), StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            if (line.startsWith("port ")) {
                return Integer.parseInt(line.substring("port ".length()));
            }
        }
        throw new IOException("The server did not start");
    }

    private static Duration cpu(Process server) {
        return server.info().totalCpuDuration().orElse(Duration.ZERO);
    }

    private static void print(Map<Side, List<Measured>> measured) {
        List<Measured> plain = measured.getOrDefault(SIDES.get(0), List.of());
        System.out.printf("%-28s %12s %10s %12s %10s%n", "", "requests/s", "ratio", "CPU µs", "ratio");
        measured.forEach((side, rounds) -> {
            double[] throughput = new double[rounds.size()];
            double[] cpu = new double[rounds.size()];
            for (int i = 0; i < rounds.size(); i++) {
                throughput[i] = rounds.get(i).perSecond() / plain.get(i).perSecond();
                cpu[i] = plain.get(i).cpuMicros() / rounds.get(i).cpuMicros();
            }
            System.out.printf(
                    "%-28s %12.0f %10.2f %12.1f %10.2f%n",
                    side.name(),
                    median(rounds.stream().mapToDouble(Measured::perSecond).toArray()),
                    median(throughput),
                    median(rounds.stream().mapToDouble(Measured::cpuMicros).toArray()),
                    median(cpu));
        });
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }
}
