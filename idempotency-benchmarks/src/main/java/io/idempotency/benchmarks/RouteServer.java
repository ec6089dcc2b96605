package io.idempotency.benchmarks;

import io.micronaut.context.ApplicationContext;
import io.micronaut.runtime.server.EmbeddedServer;
import java.io.IOException;
import java.io.OutputStream;
import java.util.HashMap;
import java.util.Map;

/** The server of {@link RouteRatios} in a process of its own: prints its port and ends with its standard input. */
public final class RouteServer {

    private RouteServer() {}

    /**
     * Starts the server. Records are kept for seconds, so that a run of many requests fits into the heap; they are purged
     * as often.
     *
     * @param configured whether a route is protected by configuration, which every request of the server is then checked for
     * @return the running server
     */
    static EmbeddedServer start(boolean configured) {
        Map<String, Object> properties = new HashMap<>(Map.of(
                "micronaut.server.host", "127.0.0.1",
                "micronaut.server.port", -1,
                "idempotency.store", "memory",
                "idempotency.lease", "2s",
                "idempotency.retention", "2s",
                "idempotency.purge.interval", "1s"));
        if (configured) {
            properties.put("idempotency.http.routes.noop-configured.path", "/noop/configured");
        }
        return ApplicationContext.run(EmbeddedServer.class, properties);
    }

    /**
     * Serves until standard input ends.
     *
     * @param arguments {@code configured} for a server with a configured route
     */
    public static void main(String[] arguments) throws IOException {
        try (EmbeddedServer server = start(arguments.length > 0 && arguments[0].equals("configured"))) {
            System.out.println("port " + server.getPort());
            System.in.transferTo(OutputStream.nullOutputStream());
        }
    }
}
