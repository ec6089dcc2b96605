package io.idempotency.redis;

import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import io.micronaut.configuration.lettuce.AbstractRedisConfiguration;
import io.micronaut.configuration.lettuce.DefaultRedisConfiguration;
import io.micronaut.configuration.lettuce.NamedRedisServersConfiguration;
import io.micronaut.configuration.lettuce.RedisSetting;
import io.micronaut.context.ApplicationContext;
import io.micronaut.context.exceptions.ConfigurationException;
import io.micronaut.inject.qualifiers.Qualifiers;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The server that the application configured, and the client that Micronaut made for it.
 *
 * @param property the name of the server's property, for messages
 * @param uris one address, or the seeds of a cluster
 * @param client lends its threads and options to the store's own client
 */
record ConfiguredServer(String property, List<RedisURI> uris, boolean cluster, AbstractRedisClient client) {

    private static final Duration TOPOLOGY_AT_MOST = Duration.ofSeconds(1);
    private static final Duration TOPOLOGY_AT_LEAST = Duration.ofSeconds(15);

    /** Finds a server under {@code redis.servers}, or as "default" that of {@code redis.uri} or {@code redis.uris}. */
    static ConfiguredServer find(ApplicationContext context, String name) {
        if (name.equals("default")) {
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

    /** Returns the error of a start-up that fails because of this server. */
    ConfigurationException unusable(RuntimeException e) {
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

    /**
     * Opens the store's own connection, with a client of its own: options belong to a client, and a claim must not be
     * queued and sent again, unlike other commands.
     *
     * @param timeout how long opening a connection may take, with its handshake
     */
    RedisConnection connect(Duration timeout) {
        List<RedisURI> bounded = uris.stream().map(uri -> bounded(uri, timeout)).toList();
        AbstractRedisClient own = cluster
                ? RedisClusterClient.create(client.getResources(), bounded)
                : RedisClient.create(client.getResources());
        try {
            if (own instanceof RedisClusterClient clustered) {
                clustered.setOptions(clusterOptions());
                return new ClusterConnection(clustered, clustered.connect(RedisConnection.CODEC));
            }
            RedisClient single = (RedisClient) own;
            single.setOptions(strict(client.getOptions().mutate()).build());
            return new StandaloneConnection(uris.get(0).toString(), single, bounded.get(0));
        } catch (RedisException e) {
            own.shutdown();
            throw unusable(e);
        }
    }

    /** Copies an address with a time-out for the handshake; the driver's own copy leaves Sentinel out. */
    private static RedisURI bounded(RedisURI uri, Duration timeout) {
        RedisURI.Builder copy = RedisURI.builder(uri).withTimeout(timeout);
        if (uri.getSentinelMasterId() != null) {
            copy.withSentinelMasterId(uri.getSentinelMasterId());
        }
        uri.getSentinels().forEach(sentinel -> copy.withSentinel(bounded(sentinel, timeout)));
        return copy.build();
    }

    /** Makes commands fail while disconnected, and resends none: what failed for its caller must not happen later. */
    private static <B extends ClientOptions.Builder> B strict(B options) {
        options.autoReconnect(true)
                .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
                .timeoutOptions(TimeoutOptions.create());
        return options;
    }

    private ClusterClientOptions clusterOptions() {
        ClusterClientOptions start = client.getOptions() instanceof ClusterClientOptions options
                ? options
                : ClusterClientOptions.builder(client.getOptions()).build();
        ClusterClientOptions.Builder options = strict(start.mutate());
        ClusterTopologyRefreshOptions refresh = start.getTopologyRefreshOptions();
        if (refresh == null
                || !refresh.isPeriodicRefreshEnabled()
                        && refresh.getAdaptiveRefreshTriggers().isEmpty()) {
            // by default the driver learns of a new master only from a redirection, and a dead master redirects no call
            options.topologyRefreshOptions(ClusterTopologyRefreshOptions.builder()
                    .enableAllAdaptiveRefreshTriggers()
                    .adaptiveRefreshTriggersTimeout(TOPOLOGY_AT_MOST)
                    .enablePeriodicRefresh(TOPOLOGY_AT_LEAST)
                    .build());
        }
        return options.build();
    }
}
