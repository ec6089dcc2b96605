package io.idempotency.redis;

import static io.idempotency.redis.Calls.acquired;
import static io.idempotency.redis.Calls.claim;
import static io.idempotency.redis.Calls.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.idempotency.runtime.store.ClaimResult;
import io.idempotency.test.servers.ReplicatedRedis;
import io.lettuce.core.RedisURI;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DnsResolvers;
import io.lettuce.core.resource.SocketAddressResolver;
import java.net.SocketAddress;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An Error in a call reaches its caller, and hangs no other. */
@Timeout(value = 90, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DriverErrorTest {

    private static final String ERROR = "of this test";

    private final ReplicatedRedis redis = new ReplicatedRedis("--appendonly", "yes", "--appendfsync", "always");
    private final DyingResolver resolver = new DyingResolver();
    private final ClientResources driver =
            ClientResources.builder().socketAddressResolver(resolver).build();

    @AfterEach
    void stop() {
        driver.shutdown();
        redis.close();
    }

    /** More often than there are connections whose writes replicas acknowledge. */
    @Test
    void callerThatMeetsAnErrorHearsOfItAndTheNextIsAnswered() {
        try (RedisApplication application =
                RedisApplication.with(driver, redis.master().uri(), RedisApplication.ACKNOWLEDGED)) {
            RedisIdempotencyStore store = application.store();
            resolver.dies = true;
            for (int i = 0; i < 20; i++) {
                String key = "k" + i;
                assertThatThrownBy(() -> get(store.claim(claim(key)))).hasStackTraceContaining(ERROR);
            }
            resolver.dies = false;
            assertThat(get(store.claim(claim("k")))).isInstanceOf(ClaimResult.Acquired.class);
        }
    }

    /** The server that was restarted refuses claims until it was asked, and its replica cannot be. */
    @Test
    void errorWhereAReplicaIsAskedForItsDurabilityHangsNoClaim() {
        try (RedisApplication application = RedisApplication.with(
                driver,
                redis.master().uri(),
                "idempotency.redis.required-durability",
                "always",
                "idempotency.redis.durability-check-interval",
                "1h")) {
            RedisIdempotencyStore store = application.store();
            acquired(store, claim("before"));
            redis.master().kill();
            redis.master().restart();
            await().until(() -> redis.onMaster().info("replication").contains("state=online"));
            await().ignoreExceptions()
                    .until(() -> get(store.find(Calls.id("before"))).isPresent());
            resolver.dies = true;
            await().atMost(Duration.ofSeconds(30))
                    .ignoreExceptions()
                    .until(() -> get(store.claim(claim("after"))) instanceof ClaimResult.Acquired);
            resolver.dies = false;
        }
    }

    /** The driver asks it for every connection that it opens, in the thread that opens it. */
    private static final class DyingResolver extends SocketAddressResolver {

        private volatile boolean dies;

        DyingResolver() {
            super(DnsResolvers.UNRESOLVED);
        }

        @Override
        public SocketAddress resolve(RedisURI uri) {
            if (dies) {
                throw new OutOfMemoryError(ERROR);
            }
            return super.resolve(uri);
        }
    }
}
