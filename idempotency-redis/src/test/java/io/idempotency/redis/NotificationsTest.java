package io.idempotency.redis;

import static io.idempotency.redis.Calls.RETENTION;
import static io.idempotency.redis.Calls.acquired;
import static io.idempotency.redis.Calls.claim;
import static io.idempotency.redis.Calls.get;
import static io.idempotency.redis.Calls.id;
import static io.idempotency.redis.Calls.result;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.Settled;
import io.idempotency.runtime.store.SettlementSignals.Subscription;
import io.idempotency.test.servers.RedisServer;
import io.lettuce.core.AclSetuserArgs;
import io.lettuce.core.ClientListArgs;
import io.lettuce.core.KillArgs;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.protocol.CommandType;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Redis tells those who wait, and nobody else costs anything. */
class NotificationsTest {

    private final RedisServer server = RedisServer.start();
    private final RedisClient client = RedisClient.create(server.uri());
    private final AtomicInteger looks = new AtomicInteger();
    private RedisCommands<String, String> redis;
    private RedisApplication application;
    private RedisIdempotencyStore store;

    @BeforeEach
    void start() {
        redis = client.connect().sync();
        application = RedisApplication.on(server.uri());
        store = application.store();
    }

    @AfterEach
    void stop() {
        application.close();
        client.shutdown();
        server.close();
    }

    private Subscription listen() {
        return store.signals().orElseThrow().listen(id("k"), looks::incrementAndGet);
    }

    private Ownership waitedFor(Subscription listening) {
        await().until(listening::live);
        Ownership owner = acquired(store, claim("k"));
        get(store.claim(claim("k")));
        assertThat(marked()).isTrue();
        return owner;
    }

    private boolean marked() {
        return redis.getrange(Calls.key("k"), 1, 1).equals("w");
    }

    private long listeners() {
        return redis.clientList(ClientListArgs.Builder.typePubsub()).lines().count();
    }

    private void assertHeard(Ownership owner) {
        int before = looks.get();
        assertThat(get(store.complete(owner, result("done"), RETENTION))).isInstanceOf(Settled.Applied.class);
        await().until(() -> looks.get() > before);
    }

    @Test
    void aWaiterOfAnotherNodeHears() {
        try (RedisApplication other = RedisApplication.on(server.uri());
                Subscription listening =
                        other.store().signals().orElseThrow().listen(id("k"), looks::incrementAndGet)) {
            await().until(listening::live);
            Ownership owner = acquired(store, claim("k"));
            get(other.store().claim(claim("k")));
            assertHeard(owner);
            assertThat(RedisApplication.executed(redis)).containsEntry("publish", 1L);
        }
    }

    @Test
    void withoutWaitersNothingIsPublishedMarkedOrSubscribed() {
        Ownership owner = acquired(store, claim("k"));
        get(store.claim(claim("k")));
        assertThat(marked()).isFalse();
        get(store.complete(owner, result("done"), RETENTION));
        assertThat(RedisApplication.executed(redis)).doesNotContainKeys("publish", "subscribe");
        assertThat(listeners()).isZero();
    }

    @Test
    void theMarkGoesWithTheSettlement() {
        try (Subscription listening = listen()) {
            assertHeard(waitedFor(listening));
            assertThat(marked()).isFalse();
        }
    }

    @Test
    void aConnectionThatBreaksComesBackByItself() {
        try (Subscription listening = listen()) {
            await().until(listening::live);
            int before = looks.get();
            redis.clientKill(KillArgs.Builder.typePubsub());
            await("those who wait look when it breaks, and when it is back")
                    .until(() -> looks.get() >= before + 2 && listening.live());
            assertHeard(waitedFor(listening));
        }
    }

    @Test
    void aServerThatRestartsIsHeardAgain() {
        RedisServer own = RedisServer.onHost();
        try (own;
                RedisApplication other = RedisApplication.on(own.uri());
                Subscription listening =
                        other.store().signals().orElseThrow().listen(id("k"), looks::incrementAndGet)) {
            await().until(listening::live);
            own.kill();
            await().until(() -> !listening.live());
            own.restart();
            await().atMost(Duration.ofSeconds(30)).until(listening::live);
        }
    }

    @Test
    void whereSubscribingIsForbiddenNobodyIsToldThatItHears() {
        redis.aclSetuser("default", new AclSetuserArgs().removeCommand(CommandType.SUBSCRIBE));
        try (Subscription listening = listen()) {
            acquired(store, claim("k"));
            get(store.claim(claim("k")));
            assertThat(listening.live()).isFalse();
            assertThat(marked()).isFalse();
        }
    }

    @Test
    void wherePublishingIsForbiddenTheRecordIsSettledAllTheSame() {
        try (Subscription listening = listen()) {
            Ownership owner = waitedFor(listening);
            redis.aclSetuser("default", new AclSetuserArgs().removeCommand(CommandType.PUBLISH));
            assertThat(get(store.complete(owner, result("done"), RETENTION))).isInstanceOf(Settled.Applied.class);
        }
    }

    @Test
    void switchedOffNobodyListens() {
        try (RedisApplication deaf = RedisApplication.on(server.uri(), "idempotency.redis.notifications", "false");
                Subscription listening = deaf.store().signals().orElseThrow().listen(id("k"), looks::incrementAndGet)) {
            acquired(deaf.store(), claim("k"));
            get(deaf.store().claim(claim("k")));
            assertThat(listening.live()).isFalse();
            assertThat(marked()).isFalse();
        }
    }
}
