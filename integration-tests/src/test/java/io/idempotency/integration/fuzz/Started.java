package io.idempotency.integration.fuzz;

import io.micronaut.context.ApplicationContext;
import io.micronaut.runtime.server.EmbeddedServer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Applications that all inputs of a process share: one that is started for each input would be most of the time. */
final class Started {

    private static final Map<String, ApplicationContext> ALL = new ConcurrentHashMap<>();

    private Started() {}

    /** With pairs of properties and values. */
    static ApplicationContext application(Object... configuration) {
        return ALL.computeIfAbsent(Arrays.toString(configuration), name -> {
            Map<String, Object> properties = new HashMap<>(Map.of("redis.enabled", false));
            for (int i = 0; i < configuration.length; i += 2) {
                properties.put((String) configuration[i], configuration[i + 1]);
            }
            return ApplicationContext.run(properties, "test");
        });
    }

    /** Started, on a port of its own. */
    static EmbeddedServer server(Object... configuration) {
        EmbeddedServer server = application(configuration).getBean(EmbeddedServer.class);
        return server.isRunning() ? server : server.start();
    }
}
