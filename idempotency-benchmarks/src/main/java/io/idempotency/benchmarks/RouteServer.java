package io.idempotency.benchmarks;

import io.micronaut.context.ApplicationContext;
import io.micronaut.runtime.server.EmbeddedServer;
import java.io.IOException;
import java.util.Map;

/** The server of {@link RouteRatios} in a process of its own: prints its port and ends with its standard input. */
public final class RouteServer {

    private RouteServer() {}

    /**
     * Starts the server.
     *
     * @return the running server
     */
    static EmbeddedServer start() {
        return ApplicationContext.run(
                EmbeddedServer.class,
                Map.of(
                        "micronaut.server.host", "127.0.0.1",
                        "micronaut.server.port", -1,
                        "idempotency.store", "memory",
                        "idempotency.lease", "1s",
                        "idempotency.retention", "1s",
                        "idempotency.purge.interval", "1s",
                        "idempotency.http.routes.noop-configured.path", "/noop/configured"));
    }

    /**
     * Serves until standard input ends.
     *
     * @param arguments none
     */
    public static void main(String[] arguments) throws IOException {
        try (EmbeddedServer server = start()) {
            System.out.println("port " + server.getPort());
            System.in.transferTo(java.io.OutputStream.nullOutputStream());
        }
    }
}
