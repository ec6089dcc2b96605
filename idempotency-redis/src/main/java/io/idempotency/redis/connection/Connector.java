package io.idempotency.redis.connection;

import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import java.time.Duration;
import java.util.List;

/**
 * Opens the store's own connection. It has a client of its own, because options belong to a client and the
 * application's commands may well be queued and sent again, which a claim must not be; threads are shared.
 *
 * @param server where to
 * @param connectTimeout how long opening a connection may take, with its handshake
 */
public record Connector(ConfiguredServer server, Duration connectTimeout) {

    private static final Duration TOPOLOGY_AT_MOST = Duration.ofSeconds(1);
    private static final Duration TOPOLOGY_AT_LEAST = Duration.ofSeconds(15);

    /** Opens the connection; fails with a message for the start of the application. */
    public RedisConnection connect() {
        AbstractRedisClient client = server.cluster()
                ? RedisClusterClient.create(server.client().getResources(), uris())
                : RedisClient.create(server.client().getResources());
        try {
            return connected(client);
        } catch (RedisException e) {
            client.shutdown();
            throw server.unusable(e);
        }
    }

    private RedisConnection connected(AbstractRedisClient client) {
        ClientOptions application = server.client().getOptions();
        if (client instanceof RedisClusterClient cluster) {
            cluster.setOptions(clusterOptions(application));
            return new ClusterConnection(cluster, cluster.connect(RedisConnection.CODEC));
        }
        RedisClient single = (RedisClient) client;
        single.setOptions(strict(application.mutate()).build());
        return new StandaloneConnection(server.uris().get(0).toString(), single, uris().get(0));
    }

    private List<RedisURI> uris() {
        return server.uris().stream().map(this::bounded).toList();
    }

    /** The same address, where a handshake without an answer ends; the driver's own copy leaves Sentinel out. */
    private RedisURI bounded(RedisURI uri) {
        RedisURI.Builder copy = RedisURI.builder(uri).withTimeout(connectTimeout);
        if (uri.getSentinelMasterId() != null) {
            copy.withSentinelMasterId(uri.getSentinelMasterId());
        }
        uri.getSentinels().forEach(sentinel -> copy.withSentinel(bounded(sentinel)));
        return copy.build();
    }

    /**
     * While disconnected, commands fail instead of waiting to be sent, and what was sent and not answered fails
     * instead of being sent again: nothing happens behind the back of a caller who was told that it did not. Callers
     * watch the time themselves.
     */
    private static <B extends ClientOptions.Builder> B strict(B options) {
        options.autoReconnect(true)
                .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
                .timeoutOptions(TimeoutOptions.create());
        return options;
    }

    private static ClusterClientOptions clusterOptions(ClientOptions application) {
        ClusterClientOptions start = application instanceof ClusterClientOptions cluster
                ? cluster
                : ClusterClientOptions.builder(application).build();
        ClusterClientOptions.Builder options = strict(start.mutate());
        ClusterTopologyRefreshOptions refresh = start.getTopologyRefreshOptions();
        if (refresh == null
                || !refresh.isPeriodicRefreshEnabled()
                        && refresh.getAdaptiveRefreshTriggers().isEmpty()) {
            // by default the driver learns of a new master from a redirection only, and a dead one redirects no call
            options.topologyRefreshOptions(ClusterTopologyRefreshOptions.builder()
                    .enableAllAdaptiveRefreshTriggers()
                    .adaptiveRefreshTriggersTimeout(TOPOLOGY_AT_MOST)
                    .enablePeriodicRefresh(TOPOLOGY_AT_LEAST)
                    .build());
        }
        return options.build();
    }
}
