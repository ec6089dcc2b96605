package io.idempotency.redis;

import static io.idempotency.redis.Calls.RETENTION;
import static io.idempotency.redis.Calls.acquired;
import static io.idempotency.redis.Calls.claim;
import static io.idempotency.redis.Calls.get;
import static io.idempotency.redis.Calls.id;
import static io.idempotency.redis.Calls.result;
import static io.idempotency.redis.Calls.waiting;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.ClaimResult;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.RecordState;
import io.idempotency.runtime.store.Settled;
import io.idempotency.runtime.store.StoredRecord;
import io.idempotency.test.servers.FaultProxy;
import io.idempotency.test.servers.FreePort;
import io.idempotency.test.servers.RedisServer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisException;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The network between the application and Redis breaks. */
@Tag("thorough")
class FaultTest {

    private final RedisServer server = RedisServer.start();
    private final FaultProxy network = FaultProxy.to(server.host(), server.port());
    private final RedisClient bypass = RedisClient.create(server.uri());
    private RedisCommands<String, String> redis;
    private RedisApplication application;
    private IdempotencyStore store;

    @BeforeEach
    void start() {
        redis = bypass.connect().sync();
        application = RedisApplication.on("redis://127.0.0.1:" + network.port());
        store = application.store();
    }

    /** Gives up soon: for calls that are not answered. */
    private RedisApplication impatient() {
        return RedisApplication.on("redis://127.0.0.1:" + network.port(), "idempotency.redis.command-timeout", "1s");
    }

    @AfterEach
    void stop() {
        network.pass();
        application.close();
        network.close();
        bypass.shutdown();
        server.close();
    }

    private long scriptsRun() {
        return RedisApplication.executed(redis).getOrDefault("evalsha", 0L);
    }

    /** Asks until the connection is back; what fails before was rejected, so nothing is sent twice. */
    private void connectionIsBack() {
        await().ignoreExceptions().until(() -> get(store.find(id("unused"))).isEmpty());
    }

    @Test
    void claimWhoseAnswerWasLostIsNotSentAgainByTheDriverAndIsOneClaimWhenWeSendItAgain() {
        Claim claim = claim("k");
        network.resetOnReply();
        assertThatThrownBy(() -> get(store.claim(claim))).isInstanceOf(RuntimeException.class);
        assertThat(scriptsRun()).as("the claim").isOne();
        StoredRecord applied = applied("k");
        network.pass();
        redis.configResetstat();
        connectionIsBack();
        assertThat(scriptsRun())
                .as("only the question that found the connection")
                .isOne();

        assertThat(get(store.claim(claim))).isEqualTo(new ClaimResult.Acquired(applied.fence(), 1));
        assertThat(get(store.claim(claim("k")))).isInstanceOf(ClaimResult.Duplicate.class);
    }

    /** The driver gives the first of its unanswered commands up when a connection breaks, and would send the others again. */
    @Test
    void noneOfSeveralUnansweredClaimsIsSentAgainByTheDriver() {
        network.stall();
        List<CompletableFuture<ClaimResult>> claims = Stream.of("a", "b", "c")
                .map(key -> waiting(() -> store.claim(claim(key))))
                .toList();
        network.resetOnReply();
        assertThatThrownBy(() -> get(claims.get(0))).isInstanceOf(RuntimeException.class);
        network.pass();
        assertThat(claims.subList(1, 3))
                .allSatisfy(claim -> assertThatThrownBy(() -> get(claim)).isInstanceOf(RuntimeException.class));
        connectionIsBack();
        assertThat(scriptsRun()).as("the claims and the last question").isLessThanOrEqualTo(4);
    }

    /** The record as a second application sees it, past the broken network. */
    private StoredRecord applied(String key) {
        try (RedisApplication other = RedisApplication.on(server.uri())) {
            return get(other.store().find(id(key))).orElseThrow();
        }
    }

    @Test
    void completionWhoseAnswerWasLostIsAppliedOnceWhenSentAgain() {
        Ownership owner = acquired(store, claim("k"));
        network.resetOnReply();
        assertThatThrownBy(() -> get(store.complete(owner, result("done"), RETENTION)))
                .isInstanceOf(RuntimeException.class);
        StoredRecord applied = applied("k");
        network.pass();
        connectionIsBack();
        assertThat(get(store.complete(owner, result("done"), RETENTION))).isInstanceOf(Settled.Applied.class);
        assertThat(get(store.find(id("k"))).orElseThrow())
                .usingRecursiveComparison()
                .ignoringFields("readAt")
                .isEqualTo(applied);
    }

    @Test
    void whileDisconnectedAClaimFailsAtOnceAndIsNotMadeLater() {
        network.refuse();
        network.reset();
        await().untilAsserted(() -> assertThatThrownBy(() -> get(store.claim(claim("probe"))))
                .hasMessageContaining("Commands are rejected"));
        redis.configResetstat();
        assertThatThrownBy(() -> get(store.claim(claim("k")))).isInstanceOf(RedisException.class);
        network.pass();
        connectionIsBack();
        assertThat(get(store.find(id("k")))).isEmpty();
        assertThat(scriptsRun()).as("the two questions").isEqualTo(2);
    }

    @Test
    void claimThatRedisReadsAfterItsCallerGaveUpIsNotMade() {
        try (RedisApplication impatient = impatient()) {
            IdempotencyStore other = impatient.store();
            long before = scriptsRun();
            network.stall();
            assertThatThrownBy(() -> get(other.claim(claim("k")))).isInstanceOf(RedisCommandTimeoutException.class);
            network.pass();
            await().until(() -> scriptsRun() == before + 1);
            assertThat(redis.dbsize()).isZero();
        }
    }

    @Test
    void completionThatRedisReadsLateIsMadeAllTheSame() {
        Ownership owner = acquired(store, claim("k"));
        try (RedisApplication impatient = impatient()) {
            IdempotencyStore other = impatient.store();
            network.stall();
            assertThatThrownBy(() -> get(other.complete(owner, result("done"), RETENTION)))
                    .isInstanceOf(RedisCommandTimeoutException.class);
            network.pass();
            await().untilAsserted(() -> assertThat(applied("k").state()).isEqualTo(RecordState.COMPLETED));
        }
    }

    @Test
    void claimAfterASlowAnswerIsMade() {
        network.latency(Duration.ofMillis(150));
        // its answer is 150 ms old when it arrives, so the server's clock is taken for slower than it is
        get(store.find(id("unused")));
        network.latency(Duration.ZERO);
        assertThat(get(store.claim(claim("k")))).isInstanceOf(ClaimResult.Acquired.class);
    }

    @Test
    void pausedServerFailsCallsWithinTheTimeOut() {
        try (RedisApplication impatient = impatient()) {
            IdempotencyStore other = impatient.store();
            server.pause();
            assertThatThrownBy(() -> get(other.claim(claim("k")))).isInstanceOf(RedisCommandTimeoutException.class);
            server.resume();
        }
        await().untilAsserted(() -> assertThat(get(store.find(id("k")))).isEmpty());
    }

    /** As behind a name that leads to another master by then: Redis closes no connection of a master that becomes a replica. */
    @Test
    void connectionToAMasterThatBecameAReplicaIsReplaced() {
        redis.replicaof("127.0.0.1", FreePort.next());
        long before = connectionsReceived();
        assertThatThrownBy(() -> get(store.claim(claim("k")))).hasMessageContaining("READONLY");
        await().until(() -> connectionsReceived() > before);
        redis.replicaofNoOne();
        await().ignoreExceptions().until(() -> get(store.claim(claim("k"))) instanceof ClaimResult.Acquired);
    }

    private long connectionsReceived() {
        return redis.info("stats")
                .lines()
                .filter(line -> line.startsWith("total_connections_received:"))
                .mapToLong(line -> Long.parseLong(line.substring(line.indexOf(':') + 1)))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void storeWorksAgainAfterTheServerRestarted() {
        RedisServer own = RedisServer.onHost();
        try (own;
                RedisApplication other = RedisApplication.on(own.uri())) {
            RedisIdempotencyStore restarted = other.store();
            acquired(restarted, claim("k"));
            own.kill();
            own.restart();
            // also the scripts are gone
            await().ignoreExceptions().until(() -> get(restarted.find(id("k"))).isEmpty());
            assertThat(get(restarted.claim(claim("k")))).isInstanceOf(ClaimResult.Acquired.class);
        }
    }
}
