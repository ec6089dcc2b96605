package io.idempotency.redis;

import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.test.servers.RedisCluster;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.resource.ClientResources;
import io.micronaut.context.ApplicationContext;
import io.micronaut.inject.qualifiers.Qualifiers;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;

/** An application on a Redis server, as far as these tests need one. A command has the time that a busy machine takes. */
record RedisApplication(ApplicationContext context) implements AutoCloseable {

    /** One replica has to acknowledge, and has time for it. */
    static final String[] ACKNOWLEDGED = {
        "idempotency.redis.replica-acknowledgements", "1",
        "idempotency.redis.replica-acknowledgement-timeout", "10s",
        "idempotency.redis.command-timeout", "20s"
    };

    static RedisApplication on(String uri, String... settings) {
        return with("redis.uri", uri, settings);
    }

    /** With the driver's threads and timer. */
    static RedisApplication with(ClientResources driver, String uri, String... settings) {
        return new RedisApplication(ApplicationContext.builder(properties("redis.uri", uri, settings))
                .singletons(driver)
                .start());
    }

    static RedisApplication onCluster(RedisCluster cluster, String... settings) {
        return with("redis.uris", cluster.uris(), settings);
    }

    private static RedisApplication with(String property, String address, String... settings) {
        return new RedisApplication(ApplicationContext.run(properties(property, address, settings)));
    }

    private static Map<String, Object> properties(String property, String address, String... settings) {
        Map<String, Object> properties = new HashMap<>(Map.of(
                property,
                address,
                "idempotency.redis.required-durability",
                "none",
                "idempotency.redis.command-timeout",
                "10s"));
        for (int i = 0; i < settings.length; i += 2) {
            properties.put(settings[i], settings[i + 1]);
        }
        return properties;
    }

    RedisIdempotencyStore store() {
        return (RedisIdempotencyStore) context.getBean(IdempotencyStore.class, Qualifiers.byName("redis"));
    }

    /** The application's own client, to look behind the store's back; one character for each byte. */
    RedisCommands<String, String> redis() {
        return context.getBean(RedisClient.class)
                .connect(new StringCodec(StandardCharsets.ISO_8859_1))
                .sync();
    }

    /** How often a server executed each command, by its name in lower case. */
    static Map<String, Long> executed(RedisCommands<String, String> redis) {
        return redis.info("commandstats")
                .lines()
                .filter(line -> line.startsWith("cmdstat_"))
                .collect(Collectors.toMap(
                        line -> line.substring("cmdstat_".length(), line.indexOf(':')),
                        line -> Long.parseLong(line.replaceAll(".*:calls=(\\d+),.*", "$1"))));
    }

    @Override
    public void close() {
        context.close();
    }
}
