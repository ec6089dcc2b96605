package io.idempotency.redis;

import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.test.IdempotencyStoreTck;
import io.idempotency.test.servers.RedisCluster;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Tag("any-jdk")
@Execution(ExecutionMode.CONCURRENT)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RedisClusterTckTest extends IdempotencyStoreTck {

    private RedisCluster cluster;
    private RedisApplication application;

    @BeforeAll
    void start() {
        cluster = new RedisCluster();
        application = RedisApplication.onCluster(cluster);
    }

    @AfterAll
    void stop() {
        application.close();
        cluster.close();
    }

    @Override
    protected IdempotencyStore store() {
        return application.store();
    }
}
