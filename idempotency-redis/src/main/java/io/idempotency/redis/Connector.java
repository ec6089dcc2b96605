package io.idempotency.redis;

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
 */
final class Connector {

    private static final Duration TOPOLOGY_AT_MOST = Duration.ofSeconds(1);
    private static final Duration TOPOLOGY_AT_LEAST = Duration.ofSeconds(15);

    private final ConfiguredServer server;
    private final Duration connectTimeout;
    private final Duration commandTimeout;

    Connector(ConfiguredServer server, RedisIdempotencyConfiguration configuration) {
        this.server = server;
        this.connectTimeout = configuration.getConnectTimeout();
        this.commandTimeout = configuration.getCommandTimeout();
    }

    RedisConnection connect() {
        try {
            return server.cluster() ? cluster() : standalone();
        } catch (RedisException e) {
            throw server.unusable(e);
        }
    }

    private RedisConnection standalone() {
        RedisClient client = RedisClient.create(server.client().getResources());
        try {
            client.setOptions(strict(server.client().getOptions().mutate()).build());
            return new StandaloneConnection(server.uris().get(0).toString(), client, uris().get(0));
        } catch (RedisException e) {
            client.shutdown();
            throw e;
        }
    }

    private RedisConnection cluster() {
        RedisClusterClient client = RedisClusterClient.create(server.client().getResources(), uris());
        try {
            client.setOptions(clusterOptions(server.client().getOptions()));
            return new ClusterConnection(client, client.connect(RedisConnection.CODEC));
        } catch (RedisException e) {
            client.shutdown();
            throw e;
        }
    }

    private List<RedisURI> uris() {
        return server.uris().stream().map(this::bounded).toList();
    }

    /** The same address, where a handshake that nobody answers ends; the driver's own copy leaves Sentinel out. */
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
     * instead of being sent again: nothing happens behind the back of a caller who was told that it did not.
     */
    private <B extends ClientOptions.Builder> B strict(B options) {
        options.autoReconnect(true)
                .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
                .timeoutOptions(TimeoutOptions.enabled(commandTimeout));
        return options;
    }

    private ClusterClientOptions clusterOptions(ClientOptions application) {
        ClusterClientOptions start = application instanceof ClusterClientOptions cluster
                ? cluster
                : ClusterClientOptions.builder(application).build();
        ClusterClientOptions.Builder options = strict(start.mutate());
        ClusterTopologyRefreshOptions refresh = start.getTopologyRefreshOptions();
        if (refresh == null
                || !refresh.isPeriodicRefreshEnabled()
                        && refresh.getAdaptiveRefreshTriggers().isEmpty()) {
            // by default the driver learns of a new master from a redirection only, and a dead one redirects nobody
            options.topologyRefreshOptions(ClusterTopologyRefreshOptions.builder()
                    .enableAllAdaptiveRefreshTriggers()
                    .adaptiveRefreshTriggersTimeout(TOPOLOGY_AT_MOST)
                    .enablePeriodicRefresh(TOPOLOGY_AT_LEAST)
                    .build());
        }
        return options.build();
    }
}
