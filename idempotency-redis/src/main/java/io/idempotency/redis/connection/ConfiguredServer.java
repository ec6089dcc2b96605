package io.idempotency.redis.connection;

import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.RedisClusterClient;
import io.micronaut.configuration.lettuce.AbstractRedisConfiguration;
import io.micronaut.configuration.lettuce.DefaultRedisConfiguration;
import io.micronaut.configuration.lettuce.NamedRedisServersConfiguration;
import io.micronaut.configuration.lettuce.RedisSetting;
import io.micronaut.context.ApplicationContext;
import io.micronaut.context.exceptions.ConfigurationException;
import io.micronaut.inject.qualifiers.Qualifiers;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The server that the application configured, and the client that Micronaut made for it.
 *
 * @param property where it is configured, for messages
 * @param uris one; or the seeds of a cluster
 * @param cluster whether the property lists the seeds of a cluster
 * @param client the application's client, whose threads and options the store's own connection starts from
 */
public record ConfiguredServer(String property, List<RedisURI> uris, boolean cluster, AbstractRedisClient client) {

    private static final String DEFAULT = "default";

    /** Finds the server of that name under {@code redis.servers}, or the one that {@code redis.uri} or {@code redis.uris} names. */
    public static ConfiguredServer find(ApplicationContext context, Optional<String> name) {
        return name.filter(it -> !it.equals(DEFAULT))
                .map(it -> named(context, it))
                .orElseGet(() -> primary(context));
    }

    private static ConfiguredServer primary(ApplicationContext context) {
        // the bean exists as soon as anything is set under redis, and would then mean localhost
        boolean placed = Stream.of(RedisSetting.REDIS_URI, RedisSetting.REDIS_URIS, "redis.host", "redis.port")
                .anyMatch(context::containsProperties);
        return context.findBean(DefaultRedisConfiguration.class)
                .filter(it -> placed)
                .map(it -> of(context, it, RedisSetting.PREFIX, null))
                .orElseThrow(() -> new ConfigurationException(
                        "The idempotency store 'redis' is chosen, but redis.uri is not set, so there is no server to"
                                + " keep records in. Set redis.uri (redis://host:6379, or redis-sentinel://...) or, for a"
                                + " cluster, redis.uris; or set idempotency.redis.server to a name under redis.servers"
                                + known(context) + "; or choose another store with idempotency.store."));
    }

    private static ConfiguredServer named(ApplicationContext context, String name) {
        return context.findBean(NamedRedisServersConfiguration.class, Qualifiers.byName(name))
                .map(it -> of(context, it, RedisSetting.REDIS_SERVERS + '.' + name, name))
                .orElseThrow(
                        () -> new ConfigurationException(
                                "idempotency.redis.server is '" + name
                                        + "', but redis.servers." + name + ".uri is not set" + known(context)
                                        + ". Set it, or name a server that exists, or leave idempotency.redis.server out to use redis.uri."));
    }

    private static ConfiguredServer of(
            ApplicationContext context,
            AbstractRedisConfiguration configuration,
            String prefix,
            @Nullable String name) {
        boolean cluster = !configuration.getUris().isEmpty();
        Class<? extends AbstractRedisClient> type =
                cluster && name == null ? RedisClusterClient.class : RedisClient.class;
        return new ConfiguredServer(
                prefix + (cluster ? ".uris" : ".uri"),
                cluster
                        ? configuration.getUris()
                        : List.of(configuration.getUri().orElse(configuration)),
                cluster,
                name == null ? context.getBean(type) : context.getBean(type, Qualifiers.byName(name)));
    }

    private static String known(ApplicationContext context) {
        List<String> names = context.getBeansOfType(NamedRedisServersConfiguration.class).stream()
                .map(AbstractRedisConfiguration::getName)
                .sorted()
                .toList();
        return names.isEmpty() ? "" : " (there is " + String.join(", ", names) + ")";
    }

    /** The message for a start-up that fails because of this server. */
    public ConfigurationException unusable(RuntimeException e) {
        String where = uris.stream().map(RedisURI::toString).collect(Collectors.joining(", "));
        Throwable cause = e;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        return new ConfigurationException(
                "The idempotency store 'redis' cannot use the server at " + where + " (" + property + "): "
                        + cause.getMessage() + ". Without it no operation can be protected, so the application does"
                        + " not start. Check that the server runs and that " + property
                        + " has its host, port, user, password and TLS; or choose another store with idempotency.store.",
                e);
    }
}
