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

    private final ConfiguredServer server;
    private final Duration connectTimeout;
    private final Duration commandTimeout;

    Connector(ConfiguredServer server, RedisIdempotencyConfiguration configuration) {
        this.server = server;
        this.connectTimeout = configuration.getConnectTimeout();
        this.commandTimeout = configuration.getCommandTimeout();
    }

    RedisLink connect() {
        try {
            return server.cluster() ? cluster() : standalone();
        } catch (RedisException e) {
            throw server.unusable(e);
        }
    }

    private RedisLink standalone() {
        RedisClient client = RedisClient.create(server.client().getResources());
        try {
            client.setOptions(strict(server.client().getOptions().mutate()).build());
            return new StandaloneLink(
                    server.uris().get(0).toString(), client, client.connect(RedisLink.CODEC, uris().get(0)));
        } catch (RedisException e) {
            client.shutdown();
            throw e;
        }
    }

    private RedisLink cluster() {
        RedisClusterClient client = RedisClusterClient.create(server.client().getResources(), uris());
        try {
            client.setOptions(clusterOptions(server.client().getOptions()));
            return new ClusterLink(client, client.connect(RedisLink.CODEC));
        } catch (RedisException e) {
            client.shutdown();
            throw e;
        }
    }

    private List<RedisURI> uris() {
        return server.uris().stream()
                .map(uri -> RedisURI.builder(uri).withTimeout(connectTimeout).build())
                .toList();
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
            // without it a fail-over would be noticed at the next redirection only, never when the master is gone
            options.topologyRefreshOptions(ClusterTopologyRefreshOptions.builder()
                    .enableAllAdaptiveRefreshTriggers()
                    .build());
        }
        return options.build();
    }
}
