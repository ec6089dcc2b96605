package io.idempotency.benchmarks;

import io.micronaut.context.ApplicationContext;
import io.micronaut.runtime.server.EmbeddedServer;
import java.io.IOException;
import java.io.OutputStream;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The server of {@link RouteRatios} in a process of its own: prints its port and ends with its standard input. */
public final class RouteServer {

    /** Protects a route by configuration. */
    static final String ROUTE = "idempotency.http.routes.noop-configured.path";

    private static final String STORE = "idempotency.store";

    private RouteServer() {}

    /**
     * Starts the server. Records are kept for seconds, so that a run of many requests fits into the heap; they are purged
     * as often.
     *
     * @param configured whether a route is protected by configuration, which every request of the server is then checked for
     * @return the running server
     */
    static EmbeddedServer start(boolean configured) {
        return start(configured, Map.of());
    }

    private static EmbeddedServer start(boolean configured, Map<String, Object> more) {
        Map<String, Object> properties = new HashMap<>(Map.of(
                "micronaut.server.host", "127.0.0.1",
                "micronaut.server.port", -1,
                "idempotency.store", "memory",
                "idempotency.lease", "2s",
                "idempotency.retention", "2s",
                "idempotency.purge.interval", "1s"));
        if (configured) {
            properties.put(ROUTE, "/noop/configured");
        }
        if (more.containsKey(STORE)) { // it keeps its records as long as any application's
            properties.keySet().removeIf(property -> property.startsWith("idempotency."));
        }
        properties.putAll(more);
        return ApplicationContext.run(EmbeddedServer.class, properties);
    }

    /**
     * Serves until standard input ends.
     *
     * @param arguments {@code configured} for a server with a configured route; or properties, those of another store among
     *     them
     */
    public static void main(String[] arguments) throws IOException {
        List<String> all = List.of(arguments);
        Map<String, Object> properties = all.stream()
                .filter(argument -> argument.contains("="))
                .map(argument -> argument.split("=", 2))
                .collect(Collectors.toMap(property -> property[0], property -> property[1]));
        try (EmbeddedServer server = start(all.contains("configured"), properties)) {
            System.out.println("port " + server.getPort());
            System.in.transferTo(OutputStream.nullOutputStream());
        }
    }
}
