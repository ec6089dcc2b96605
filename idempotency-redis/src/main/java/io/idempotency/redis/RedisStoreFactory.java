package io.idempotency.redis;

import io.idempotency.runtime.store.RecordsMayBeMissing;
import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.event.DefaultEventPublisherOptions;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.Delay;
import io.micronaut.configuration.lettuce.AbstractRedisConfiguration;
import io.micronaut.configuration.lettuce.DefaultRedisConfiguration;
import io.micronaut.configuration.lettuce.NamedRedisServersConfiguration;
import io.micronaut.configuration.lettuce.RedisSetting;
import io.micronaut.context.ApplicationContext;
import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.event.ApplicationEventPublisher;
import io.micronaut.context.exceptions.ConfigurationException;
import io.micronaut.inject.qualifiers.Qualifiers;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Connects when the store is asked for, so that an application that chose another store never touches Redis. */
@Factory
record RedisStoreFactory(ApplicationContext context, RedisIdempotencyConfiguration configuration) {

    @Singleton
    @Named("redis")
    @Bean(preDestroy = "close")
    RedisIdempotencyStore redisStore(ApplicationEventPublisher<RecordsMayBeMissing> alarm) {
        check();
        String name = configuration.getServer().orElse("default");
        boolean unnamed = name.equals("default");
        AbstractRedisConfiguration server = unnamed ? unnamed() : named(name);
        boolean cluster = !server.getUris().isEmpty();
        Class<? extends AbstractRedisClient> type = cluster && unnamed ? RedisClusterClient.class : RedisClient.class;
        AbstractRedisClient lender = context.getBean(type, unnamed ? null : Qualifiers.byName(name));
        List<RedisURI> uris =
                cluster ? server.getUris() : List.of(server.getUri().orElse(server));
        ClientResources resources = resources(lender.getResources());
        // a client of the store's own: options belong to a client, and a claim must not be queued and sent again
        AbstractRedisClient own = cluster
                ? RedisClusterClient.create(
                        resources, uris.stream().map(this::bounded).toList())
                : RedisClient.create(resources);
        try {
            return new RedisIdempotencyStore(connect(own, uris.get(0), lender), configuration, alarm::publishEvent);
        } catch (RedisException e) {
            own.shutdown();
            resources.shutdown();
            String prefix = unnamed ? RedisSetting.PREFIX : RedisSetting.REDIS_SERVERS + '.' + name;
            throw unusable(uris, prefix + (cluster ? ".uris" : ".uri"), e);
        }
    }

    private void check() {
        Duration wait = configuration.getReplicaAcknowledgementTimeout();
        if (configuration.getReplicaAcknowledgements() > 0 && wait.compareTo(configuration.getCommandTimeout()) >= 0) {
            throw new ConfigurationException("idempotency.redis.replica-acknowledgement-timeout is " + wait
                    + ". It must be shorter than command-timeout, which is " + configuration.getCommandTimeout() + ".");
        }
    }

    private AbstractRedisConfiguration unnamed() {
        // the bean exists as soon as anything is set under redis, and would then mean localhost
        boolean placed = Stream.of(RedisSetting.REDIS_URI, RedisSetting.REDIS_URIS, "redis.host", "redis.port")
                .anyMatch(context::containsProperties);
        return context.findBean(DefaultRedisConfiguration.class)
                .filter(it -> placed)
                .orElseThrow(() -> new ConfigurationException(
                        "The idempotency store 'redis' is chosen, but redis.uri is not set, so there is no server to"
                                + " keep records in. Set redis.uri (redis://host:6379, or redis-sentinel://...) or, for a"
                                + " cluster, redis.uris; or set idempotency.redis.server to a name under redis.servers"
                                + known() + "; or choose another store with idempotency.store."));
    }

    private AbstractRedisConfiguration named(String name) {
        return context.findBean(NamedRedisServersConfiguration.class, Qualifiers.byName(name))
                .orElseThrow(() -> new ConfigurationException("idempotency.redis.server is '" + name
                        + "', but redis.servers." + name + ".uri is not set" + known()
                        + ". Set it, or name a server that"
                        + " exists, or leave idempotency.redis.server out to use redis.uri."));
    }

    private String known() {
        List<String> names = context.getBeansOfType(NamedRedisServersConfiguration.class).stream()
                .map(AbstractRedisConfiguration::getName)
                .sorted()
                .toList();
        return names.isEmpty() ? "" : " (there is " + String.join(", ", names) + ")";
    }

    private static ConfigurationException unusable(List<RedisURI> uris, String property, RedisException e) {
        String where = uris.stream().map(RedisURI::toString).collect(Collectors.joining(", "));
        Throwable cause = e;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        return new ConfigurationException(
                "The idempotency store 'redis' cannot use the server at " + where + " (" + property + "): "
                        + cause.getMessage() + ". Without it no operation can be protected, so the application does"
                        + " not start. Check that the server runs and that " + property
                        + " has its host, port, user, password and TLS, and that the user may run its commands (+wait for"
                        + " replica-acknowledgements); or choose another store with idempotency.store.",
                e);
    }

    /** Copies resources, to reconnect soon: leases end meanwhile. What is named again is not shut down with the copy. */
    private static ClientResources resources(ClientResources lent) {
        return lent.mutate()
                .reconnectDelay(Delay.exponential(0, 1000, TimeUnit.MILLISECONDS, 2))
                .eventLoopGroupProvider(lent.eventLoopGroupProvider())
                .eventExecutorGroup(lent.eventExecutorGroup())
                .timer(lent.timer())
                .commandLatencyRecorder(lent.commandLatencyRecorder())
                .commandLatencyPublisherOptions(DefaultEventPublisherOptions.disabled()) // the lender publishes it
                .build();
    }

    /** Connects a client, to which Micronaut's lends its options. */
    private RedisConnection<?> connect(AbstractRedisClient own, RedisURI uri, AbstractRedisClient lender) {
        if (own instanceof RedisClusterClient clustered) {
            clustered.setOptions(clusterOptions(lender));
            return new ClusterConnection(clustered, configuration.getCommandTimeout());
        }
        RedisClient single = (RedisClient) own;
        single.setOptions(strict(lender.getOptions().mutate()).build());
        return new StandaloneConnection(uri.toString(), single, bounded(uri), configuration.getCommandTimeout());
    }

    /** Copies an address with a time-out for the handshake; the driver's own copy leaves Sentinel out. */
    private RedisURI bounded(RedisURI uri) {
        RedisURI.Builder copy = RedisURI.builder(uri).withTimeout(configuration.getConnectTimeout());
        if (uri.getSentinelMasterId() != null) {
            copy.withSentinelMasterId(uri.getSentinelMasterId());
        }
        uri.getSentinels().forEach(sentinel -> copy.withSentinel(bounded(sentinel)));
        return copy.build();
    }

    /** Makes commands fail while disconnected, and resends none: what failed for its caller must not happen later. */
    private <B extends ClientOptions.Builder> B strict(B options) {
        SocketOptions.Builder sockets = options.build().getSocketOptions().mutate();
        options.autoReconnect(true)
                .socketOptions(sockets.connectTimeout(configuration.getConnectTimeout())
                        .build())
                .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
                .timeoutOptions(TimeoutOptions.create());
        return options;
    }

    private ClusterClientOptions clusterOptions(AbstractRedisClient client) {
        ClusterClientOptions start = client.getOptions() instanceof ClusterClientOptions options
                ? options
                : ClusterClientOptions.builder(client.getOptions()).build();
        // a replica is asked by the address that its master names, which need not be the one that it announces
        ClusterClientOptions.Builder options = strict(start.mutate()).validateClusterNodeMembership(false);
        ClusterTopologyRefreshOptions refresh = start.getTopologyRefreshOptions();
        if (refresh == null
                || !refresh.isPeriodicRefreshEnabled()
                        && refresh.getAdaptiveRefreshTriggers().isEmpty()) {
            // by default the driver learns of a new master only from a redirection, and a dead master redirects no call
            options.topologyRefreshOptions(ClusterTopologyRefreshOptions.builder()
                    .enableAllAdaptiveRefreshTriggers()
                    .adaptiveRefreshTriggersTimeout(Duration.ofSeconds(1))
                    .enablePeriodicRefresh(Duration.ofSeconds(15))
                    .build());
        }
        return options.build();
    }
}
