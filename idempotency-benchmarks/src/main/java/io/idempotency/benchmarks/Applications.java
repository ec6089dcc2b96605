package io.idempotency.benchmarks;

import io.idempotency.test.servers.SqlServer;
import io.micronaut.context.ApplicationContext;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/** Applications with one store each, and calls of their operation. */
final class Applications {

    static final int POOL = 16;

    private Applications() {}

    static ApplicationContext redis(String uri, Map<String, Object> properties) {
        Map<String, Object> all = new HashMap<>(properties);
        all.put("redis.uri", uri);
        all.put("idempotency.store", "redis");
        all.put("idempotency.redis.required-durability", "none");
        return run(all);
    }

    static Map<String, Object> database(SqlServer server) {
        return database(server.url(), server.user(), server.password());
    }

    static Map<String, Object> database(String url, String user, String password) {
        return Map.of(
                "datasources.default.url", url,
                "datasources.default.username", user,
                "datasources.default.password", password,
                "datasources.default.maximum-pool-size", POOL,
                "idempotency.store", "jdbc",
                "idempotency.jdbc.schema", "create");
    }

    static ApplicationContext run(Map<String, Object> properties) {
        Map<String, Object> all = new HashMap<>(properties);
        all.putIfAbsent("idempotency.purge.enabled", false);
        return ApplicationContext.run(all);
    }

    /** The whole library, as an application calls it. */
    static Turns.Side calls(ApplicationContext application) {
        Charges charges = application.getBean(Charges.class);
        return (key, first) -> charges.charge(Charges.Charge.of(key));
    }

    /** Other libraries, as their callers call them. */
    static Map<String, Turns.Side> calls(Map<String, Peers.Call> peers) {
        Map<String, Turns.Side> sides = new LinkedHashMap<>();
        peers.forEach((name, call) -> sides.put(name, (key, first) -> call.of(Charges.Charge.of(key))));
        return sides;
    }
}
