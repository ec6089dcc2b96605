package io.idempotency.benchmarks;

import io.idempotency.test.servers.PostgresServer;
import io.idempotency.test.servers.RedisServer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** An annotated route beside the plain one, over HTTP on connections that stay open. */
final class HttpPart {

    private static final int CONNECTIONS = 16;

    /** So many turns: after ten the server's compiler still had most of its work before it, on the processors that it shares. */
    private static final int WARM_UP = 40;

    private static final RouteLoad.Side PLAIN = new RouteLoad.Side("plain", "/noop/plain", true);
    private static final RouteLoad.Side FIRST = new RouteLoad.Side("first", "/noop/annotated", true);
    private static final RouteLoad.Side REPLAY = new RouteLoad.Side("replay", "/noop/annotated", false);

    private HttpPart() {}

    static List<Table> measure(Settings settings) throws Exception {
        List<Map<String, Object>> rows = new ArrayList<>();
        try (RedisServer redis = RedisServer.onHost();
                PostgresServer postgres = PostgresServer.start("fsync=on", "full_page_writes=on")) {
            rows.add(row(
                    settings,
                    "Redis",
                    Map.of(
                            "redis.uri",
                            redis.uri(),
                            "idempotency.store",
                            "redis",
                            "idempotency.redis.required-durability",
                            "none")));
            rows.add(row(settings, "PostgreSQL", Applications.database(postgres)));
            rows.add(row(settings, "H2", Applications.database("jdbc:h2:mem:routes;DB_CLOSE_DELAY=-1", "sa", "")));
        }
        return List.of(new Table(
                "http",
                "Over HTTP",
                "Requests per second of an annotated route that does nothing, and medians of the ratio to the plain route in the"
                        + " same round: " + CONNECTIONS
                        + " connections over loopback, the server in a process of its own. Both routes are on the blocking"
                        + " executor, as those of the demo: on an event loop two calls at a time would wait for the store.",
                rows));
    }

    private static Map<String, Object> row(Settings settings, String store, Map<String, Object> properties)
            throws Exception {
        String[] arguments = Stream.concat(
                        Stream.of("micronaut.server.thread-selection=BLOCKING"),
                        properties.entrySet().stream().map(property -> property.getKey() + "=" + property.getValue()))
                .toArray(String[]::new);
        List<RouteLoad.Side> sides = List.of(PLAIN, FIRST, REPLAY);
        double[][] rates = new double[sides.size()][settings.rounds()];
        try (RouteProcess server = new RouteProcess(arguments);
                RouteLoad load = new RouteLoad(server.port(), CONNECTIONS)) {
            for (int round = -1; round < settings.rounds(); round++) {
                for (int side = 0; side < sides.size(); side++) {
                    long millis = round < 0 ? WARM_UP * settings.millis() : settings.millis();
                    long started = System.nanoTime();
                    long requests = load.requests(sides.get(side), millis);
                    if (round >= 0) {
                        rates[side][round] = requests * 1e9 / (System.nanoTime() - started);
                    }
                }
            }
        }
        return Table.row(
                "store",
                store,
                "plain",
                median(rates[0]),
                "first",
                median(rates[1]),
                "replay",
                median(rates[2]),
                "firstRatio",
                ratio(rates[1], rates[0]),
                "replayRatio",
                ratio(rates[2], rates[0]));
    }

    private static double ratio(double[] ours, double[] plain) {
        double[] ratios = new double[ours.length];
        Arrays.setAll(ratios, i -> ours[i] / plain[i]);
        return median(ratios);
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }
}
