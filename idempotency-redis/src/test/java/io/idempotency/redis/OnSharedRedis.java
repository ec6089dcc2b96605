package io.idempotency.redis;

import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.test.servers.RedisServer;
import io.lettuce.core.api.sync.RedisCommands;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;

/** Tests of one store on the server that all of them share, which is empty before each. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class OnSharedRedis {

    private RedisApplication application;
    IdempotencyStore store;
    RedisCommands<String, String> redis;

    @BeforeAll
    void start() {
        application = RedisApplication.on(RedisServer.shared().uri());
        store = application.store();
        redis = application.redis();
    }

    @AfterAll
    void stop() {
        application.close();
    }

    @BeforeEach
    void empty() {
        redis.flushall();
    }
}
