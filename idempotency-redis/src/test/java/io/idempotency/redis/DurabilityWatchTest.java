package io.idempotency.redis;

import static io.idempotency.redis.Calls.RETENTION;
import static io.idempotency.redis.Calls.acquired;
import static io.idempotency.redis.Calls.claim;
import static io.idempotency.redis.Calls.get;
import static io.idempotency.redis.Calls.result;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.ClaimResult;
import io.idempotency.runtime.store.IdempotencyStore.ClaimsRefusedException;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.Renewal;
import io.idempotency.runtime.store.Settled;
import io.idempotency.test.servers.RedisSentinel;
import io.idempotency.test.servers.ReplicatedRedis;
import io.lettuce.core.RedisException;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What was required at the start is required as long as the application runs, of whatever process holds the records. */
@Tag("thorough")
class DurabilityWatchTest {

    private static final String[] ALWAYS = {"--appendonly", "yes", "--appendfsync", "always"};
    private static final String REFUSED = "was not claimed and the body did not run";

    private final ReplicatedRedis redis = new ReplicatedRedis(ALWAYS);

    @AfterEach
    void stop() {
        redis.close();
    }

    private RedisApplication requiring(String uri, String interval) {
        return RedisApplication.on(
                uri,
                "idempotency.redis.required-durability",
                "always",
                "idempotency.redis.durability-check-interval",
                interval);
    }

    private static Claim anyClaim() {
        return claim(UUID.randomUUID().toString());
    }

    private static ConditionFactory soon() {
        return await().atMost(Duration.ofSeconds(30));
    }

    @Test
    void settingsThatAreChangedLaterStopNewClaimsUntilTheyAreChangedBack() {
        try (RedisApplication application = requiring(redis.master().uri(), "100ms")) {
            RedisIdempotencyStore store = application.store();
            Ownership completed = acquired(store, claim("completed"));
            get(store.complete(completed, result("done"), RETENTION));
            Ownership open = acquired(store, claim("open"));
            RedisCommands<String, String> master = redis.onMaster();
            master.configSet("appendfsync", "everysec");
            soon().untilAsserted(() -> assertThatThrownBy(() -> get(store.claim(anyClaim())))
                    .isInstanceOf(ClaimsRefusedException.class)
                    .hasMessageContaining(REFUSED)
                    .hasMessageContaining("has every-second")
                    .hasMessageContaining("idempotency.redis.required-durability"));
            assertThat(get(store.claim(claim("completed")))).isInstanceOf(ClaimResult.Duplicate.class);
            assertThat(get(store.renew(List.of(new Renewal(open, RETENTION, RETENTION)))
                            .get(0)))
                    .isInstanceOf(Settled.Applied.class);
            assertThat(get(store.complete(open, result("done"), RETENTION))).isInstanceOf(Settled.Applied.class);

            master.configSet("appendfsync", "always");
            soon().ignoreExceptions().until(() -> get(store.claim(anyClaim())) instanceof ClaimResult.Acquired);
        }
    }

    @Test
    void replicaThatMayBecomeMasterIsAskedToo() {
        RedisCommands<String, String> replica = redis.onReplica();
        replica.configSet("appendonly", "no");
        try (RedisApplication application = requiring(redis.master().uri(), "1h")) {
            StartUpTest.assertRefused(
                    application.context(),
                    "the replica 127.0.0.1:" + redis.replica().port(),
                    "has none");
        }
        replica.configSet("replica-priority", "0");
        try (RedisApplication application = requiring(redis.master().uri(), "100ms")) {
            RedisIdempotencyStore store = application.store();
            acquired(store, claim("k"));
            replica.configSet("replica-priority", "100");
            soon().untilAsserted(() ->
                    assertThatThrownBy(() -> get(store.claim(anyClaim()))).hasMessageContaining("the replica"));
            replica.configSet("appendonly", "yes");
            soon().ignoreExceptions().until(() -> get(store.claim(anyClaim())) instanceof ClaimResult.Acquired);
        }
    }

    /** One that hangs is still listed, and cannot take its master's place. */
    @Test
    void replicaThatStopsAnsweringIsJudgedByWhatItSaidLast() {
        try (RedisApplication application = requiring(redis.master().uri(), "1h")) {
            RedisIdempotencyStore store = application.store();
            acquired(store, claim("before"));
            redis.replica().pause();
            assertThat(store.durability.ask().durable()).isTrue();
            acquired(store, claim("after"));
            redis.replica().resume();
        }
    }

    @Test
    void restartedServerIsAskedBeforeItClaims() {
        try (RedisApplication application = requiring(redis.master().uri(), "1h")) {
            RedisIdempotencyStore store = application.store();
            acquired(store, claim("before"));
            redis.master().kill();
            redis.master().restart();
            soon().ignoreExceptions().until(() -> get(store.claim(claim("after"))) instanceof ClaimResult.Acquired);
            assertThat(get(store.claim(claim("before")))).isInstanceOf(ClaimResult.Duplicate.class);
        }
    }

    /** The replica lost its append-only file after it was asked, and nobody looks at intervals. */
    @Test
    void noClaimIsMadeOnANewMasterThatIsLessDurable() {
        try (RedisSentinel sentinel = new RedisSentinel(redis);
                RedisApplication application = requiring(sentinel.uri(), "1h")) {
            RedisIdempotencyStore store = application.store();
            Ownership open = acquired(store, claim("open"));
            RedisCommands<String, String> replica = redis.onReplica();
            await().until(() -> replica.exists(Calls.key("open")) == 1);
            replica.configSet("appendonly", "no");
            redis.master().kill();

            List<String> claimed = new ArrayList<>();
            soon().until(() -> refusedOnTheNewMaster(store, claimed));
            assertThat(claimed).isEmpty();
            assertThat(replica.keys("idempotency:*")).hasSize(2).contains(Calls.key("open"));
            assertThat(get(store.complete(open, result("done"), RETENTION))).isInstanceOf(Settled.Applied.class);

            replica.configSet("appendonly", "yes");
            soon().ignoreExceptions().until(() -> get(store.claim(anyClaim())) instanceof ClaimResult.Acquired);
        }
    }

    private static boolean refusedOnTheNewMaster(RedisIdempotencyStore store, List<String> claimed) {
        try {
            String key = "k" + claimed.size();
            get(store.claim(claim(key)));
            claimed.add(key);
        } catch (RedisException disconnected) {
            return false;
        } catch (ClaimsRefusedException refused) {
            return String.valueOf(refused.getMessage()).contains("has none");
        }
        return true;
    }
}
