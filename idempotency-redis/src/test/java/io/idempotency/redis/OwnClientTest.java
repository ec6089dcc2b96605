package io.idempotency.redis;

import static io.idempotency.redis.Calls.acquired;
import static io.idempotency.redis.Calls.claim;
import static io.idempotency.redis.Calls.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idempotency.runtime.store.ClaimResult;
import io.idempotency.test.servers.FaultProxy;
import io.idempotency.test.servers.RedisServer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.event.connection.ReconnectAttemptEvent;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.Delay;
import io.lettuce.core.resource.NettyCustomizer;
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.BootstrapConfig;
import io.netty.channel.ChannelOption;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The store's client is its own, on the driver's threads that the application has. */
@Timeout(value = 90, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class OwnClientTest {

    private final RedisServer server = RedisServer.shared();
    private final FaultProxy network = FaultProxy.to(server.host(), server.port());
    private final List<BootstrapConfig> connected = new CopyOnWriteArrayList<>();
    private final ClientResources driver = ClientResources.builder()
            .reconnectDelay(Delay.constant(Duration.ofHours(1)))
            .nettyCustomizer(new NettyCustomizer() {
                @Override
                public void afterBootstrapInitialized(Bootstrap bootstrap) {
                    connected.add(bootstrap.config());
                }
            })
            .build();

    @AfterEach
    void stop() {
        driver.shutdown();
        network.close();
    }

    private RedisApplication application(String... settings) {
        return RedisApplication.with(driver, "redis://127.0.0.1:" + network.port(), settings);
    }

    private List<Object> connectTimeouts() {
        return connected.stream()
                .map(config -> (Object) config.options().get(ChannelOption.CONNECT_TIMEOUT_MILLIS))
                .toList();
    }

    @Test
    void connectTimeoutBoundsTcpToo() {
        try (RedisApplication application = application("idempotency.redis.connect-timeout", "20s")) {
            application.store();
            assertThat(connectTimeouts()).containsOnly(20_000);
            connected.clear();
            application.redis();
            assertThat(connectTimeouts()).as("of the application").containsOnly(10_000);
        }
    }

    /** By default the driver waits up to 30 s, and so long is a lease: it would end although Redis is back. */
    @Test
    void storeReconnectsWithinASecondHoweverLongTheApplicationsDriverWaits() {
        List<ReconnectAttemptEvent> attempts = new CopyOnWriteArrayList<>();
        driver.eventBus().get().ofType(ReconnectAttemptEvent.class).subscribe(attempts::add);
        try (RedisApplication application = application()) {
            RedisIdempotencyStore store = application.store();
            StatefulRedisConnection<String, String> others = application.redis().getStatefulConnection();
            network.refuse();
            network.reset();
            await().atMost(Duration.ofMinutes(1)).until(() -> attempts.size() >= 12);
            assertThat(attempts)
                    .allSatisfy(attempt -> assertThat(attempt.getDelay()).isLessThanOrEqualTo(Duration.ofSeconds(1)));
            network.pass();
            await().ignoreExceptions()
                    .until(() -> get(store.claim(claim("back " + this))) instanceof ClaimResult.Acquired);
            assertThat(others.isOpen()).as("the application's").isFalse();
        }
    }

    @Test
    void driverOfTheApplicationGoesOnWhenTheStoreIsClosed() {
        try (RedisApplication application = application()) {
            acquired(application.store(), claim("before " + this));
            application.redis();
            application.store().close();
            assertThat(application.redis().ping()).isEqualTo("PONG");
        }
        assertThat(connected)
                .extracting(BootstrapConfig::group)
                .as("threads")
                .containsOnly(connected.get(0).group());
        RedisClient another = RedisClient.create(driver, server.uri());
        assertThat(another.connect().sync().ping()).isEqualTo("PONG");
        another.shutdown();
    }
}
