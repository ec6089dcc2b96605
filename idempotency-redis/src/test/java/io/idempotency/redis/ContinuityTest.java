package io.idempotency.redis;

import static io.idempotency.redis.Calls.acquired;
import static io.idempotency.redis.Calls.claim;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idempotency.runtime.store.RecordsMayBeMissing;
import io.idempotency.test.servers.RedisSentinel;
import io.idempotency.test.servers.ReplicatedRedis;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A server that lost what it had acknowledged does not say so: the store does. */
@Tag("thorough")
class ContinuityTest {

    private static final String A = "a".repeat(40);
    private static final String B = "b".repeat(40);
    private static final String NONE = "0".repeat(40);

    @Test
    void replicaThatBecameMasterIsToldWithItsWindow() {
        try (ReplicatedRedis redis = new ReplicatedRedis();
                RedisSentinel sentinel = new RedisSentinel(redis);
                RedisApplication application = RedisApplication.on(sentinel.uri())) {
            acquired(application.store(), claim("before"));
            redis.master().kill();
            RecordsMayBeMissing said = heard(application);
            assertThat(said.store()).isEqualTo("redis");
            assertThat(said.from()).isBefore(said.until());
            assertThat(said.reason()).contains("a replica became the master");
            assertThat(application.store().health().details()).containsEntry("recordsMayBeMissing", said.toString());
        }
    }

    @Test
    void serverThatStartedAgainIsToldUnlessItWritesEachChangeToItsDisk() {
        for (String fsync : new String[] {"everysec", "always"}) {
            try (ReplicatedRedis redis = new ReplicatedRedis("--appendonly", "yes", "--appendfsync", fsync);
                    RedisApplication application = RedisApplication.on(
                            redis.master().uri(), "idempotency.redis.durability-check-interval", "100ms")) {
                RedisIdempotencyStore store = application.store();
                String runId = runId(store);
                redis.master().kill();
                redis.master().restart();
                await().atMost(Duration.ofSeconds(30))
                        .ignoreExceptions()
                        .until(() -> !runId(store).equals(runId));
                if (fsync.equals("everysec")) {
                    assertThat(heard(application).reason()).contains("was started again", "every-second");
                } else {
                    assertThat(store.health().details()).doesNotContainKey("recordsMayBeMissing");
                    assertThat(application.context().getBean(Alarms.class).heard())
                            .isEmpty();
                }
            }
        }
    }

    /** A snapshot file names the history that it continues, as a promoted replica does. */
    @Test
    void serverThatLoadedASnapshotIsNotSaidToHaveBeenAReplica() {
        try (ReplicatedRedis redis = new ReplicatedRedis();
                RedisApplication application = RedisApplication.on(
                        redis.master().uri(), "idempotency.redis.durability-check-interval", "100ms")) {
            acquired(application.store(), claim("before"));
            redis.onMaster().save();
            redis.master().kill();
            redis.master().restart();
            assertThat(heard(application).reason()).contains("or a snapshot file was loaded there");
        }
    }

    @Test
    void masterThatWasAReplicaMeanwhileIsTold() {
        assertThat(told(said("r1", A, NONE), said("r1", "c".repeat(40), B)))
                .hasValueSatisfying(it -> assertThat(it).contains("was a replica meanwhile"));
    }

    /** Redis begins another history when no replica was there for an hour. */
    @Test
    void whatLosesNothingIsNotTold() {
        assertThat(told(said("r1", A, NONE), said("r1", A, NONE))).isEmpty();
        assertThat(told(said("r1", A, NONE), said("r1", B, NONE))).isEmpty();
        assertThat(told(Map.of(), said("r1", A, NONE))).isEmpty();
        assertThat(told(said("r1", A, NONE), Map.of())).isEmpty();
    }

    private static Map<String, String> said(String runId, String history, String followed) {
        return Map.of("run_id", runId, "master_replid", history, "master_replid2", followed);
    }

    private static Optional<String> told(Map<String, String> before, Map<String, String> now) {
        return asked(now).lostSince(List.of(asked(before)));
    }

    private static AskedServer asked(Map<String, String> info) {
        return new AskedServer("server", info, Map.of(), Optional.empty());
    }

    private static String runId(RedisIdempotencyStore store) {
        return store.durability.ask().servers().get(0).runId();
    }

    private static RecordsMayBeMissing heard(RedisApplication application) {
        Alarms alarms = application.context().getBean(Alarms.class);
        await().atMost(Duration.ofSeconds(30)).until(() -> !alarms.heard().isEmpty());
        return alarms.heard().get(0);
    }
}
