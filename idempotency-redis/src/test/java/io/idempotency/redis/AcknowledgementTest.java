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
import io.idempotency.runtime.store.IdempotencyStore.ClaimsRefusedException;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.RecordState;
import io.idempotency.runtime.store.Renewal;
import io.idempotency.runtime.store.Settled;
import io.idempotency.runtime.store.StoredRecord;
import io.idempotency.test.servers.FaultProxy;
import io.idempotency.test.servers.ReplicatedRedis;
import io.lettuce.core.AclSetuserArgs;
import io.lettuce.core.ClientListArgs;
import io.lettuce.core.KillArgs;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisException;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.protocol.CommandType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Replicas have to acknowledge what the store writes. */
@Tag("thorough")
class AcknowledgementTest {

    /** Longer than a busy machine stops between two lines. */
    private static final String[] PATIENT = {
        "idempotency.redis.replica-acknowledgements", "1",
        "idempotency.redis.replica-acknowledgement-timeout", "5s",
        "idempotency.redis.command-timeout", "20s"
    };

    private final ReplicatedRedis redis = new ReplicatedRedis();
    private RedisApplication application;
    private IdempotencyStore store;

    @BeforeEach
    void start() {
        application = RedisApplication.on(
                redis.master().uri(),
                "idempotency.redis.replica-acknowledgements",
                "1",
                "idempotency.redis.replica-acknowledgement-timeout",
                "2s",
                "idempotency.redis.command-timeout",
                "20s");
        store = application.store();
    }

    @AfterEach
    void stop() {
        redis.master().resume();
        redis.replica().resume();
        application.close();
        redis.close();
    }

    @Test
    void claimsAreOnTheReplicaWhenTheirCallersHearOfThem() {
        RedisCommands<String, String> replica = redis.onReplica();
        List<CompletableFuture<ClaimResult>> claimed = waitingFor(store, "k", 200);
        assertThat(claimed).allSatisfy(claim -> assertThat(get(claim)).isInstanceOf(ClaimResult.Acquired.class));
        assertThat(replica.keys("idempotency:{*}?????????????????????????*")).hasSize(200);
    }

    private static List<CompletableFuture<ClaimResult>> waitingFor(IdempotencyStore store, String key, int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> waiting(() -> store.claim(claim(key + i))))
                .toList();
    }

    /** As after a fail-over to which no closed connection led: leases have to be renewed meanwhile. */
    @Test
    void idleConnectionsThatFellSilentAreNotTriedOneByOne() {
        try (FaultProxy proxy =
                        FaultProxy.to(redis.master().host(), redis.master().port());
                RedisApplication behind = RedisApplication.on(
                        "redis://127.0.0.1:" + proxy.port(),
                        "idempotency.redis.replica-acknowledgements",
                        "1",
                        "idempotency.redis.replica-acknowledgement-timeout",
                        "10s",
                        "idempotency.redis.command-timeout",
                        "11s")) {
            IdempotencyStore silent = behind.store();
            redis.replica().pause();
            List<CompletableFuture<ClaimResult>> burst = eachOnAConnectionOfItsOwn(silent, 8);
            redis.replica().resume();
            assertThat(burst).allSatisfy(claim -> assertThat(get(claim)).isInstanceOf(ClaimResult.Acquired.class));
            proxy.silence();
            AtomicInteger failed = new AtomicInteger();
            await().atMost(Duration.ofMinutes(2)).until(() -> {
                try {
                    return silent.claim(claim("after")) instanceof ClaimResult.Acquired;
                } catch (RuntimeException e) {
                    failed.incrementAndGet();
                    return false;
                }
            });
            assertThat(failed).hasValueLessThan(4);
        }
    }

    /** Claims one after another. Each takes a further connection, for as long as the replica stands still. */
    private List<CompletableFuture<ClaimResult>> eachOnAConnectionOfItsOwn(IdempotencyStore there, int count) {
        RedisCommands<String, String> master = redis.onMaster();
        long before = connections(master);
        List<CompletableFuture<ClaimResult>> claims = new ArrayList<>();
        for (int number = 1; number <= count; number++) {
            claims.addAll(waitingFor(there, "k" + number + "-", 1));
            long all = before + number;
            await().until(() -> connections(master) == all);
        }
        return claims;
    }

    @Test
    void changeThatTheReplicaDidNotReceiveFails() {
        Ownership owner = acquired(store, claim("k"));
        redis.replica().pause();
        assertThatThrownBy(() -> get(store.claim(claim("other"))))
                .isInstanceOf(ClaimsRefusedException.class)
                .hasMessageContaining("idempotency.redis.replica-acknowledgements");
        assertThatThrownBy(() -> get(store.complete(owner, result("done"), RETENTION)))
                .hasMessageContaining("idempotency.redis.replica-acknowledgements");

        redis.replica().resume();
        assertThat(get(store.complete(owner, result("done"), RETENTION))).isInstanceOf(Settled.Applied.class);
    }

    /** Its key would be in doubt after the lease, however many were tried while no replica answered. */
    @Test
    void claimThatTheReplicaDidNotReceiveIsGivenBackWithoutIt() {
        redis.replica().pause();
        Claim claim = claim("k");
        assertThatThrownBy(() -> get(store.claim(claim))).isInstanceOf(ClaimsRefusedException.class);
        StoredRecord made = get(store.find(id("k"))).orElseThrow();
        Ownership owner = new Ownership(made.id(), claim.owner(), made.fence());
        for (int i = 0; i < 2; i++) {
            assertThat(get(store.release(owner))).isInstanceOf(Settled.Applied.class);
        }
        assertThat(get(store.find(id("k")))).isEmpty();

        redis.replica().resume();
        assertThat(acquired(store, claim("k")).fence()).isGreaterThan(made.fence());
    }

    /** Redis answers, so it is not away, for which {@code PROCEED} would run the body. */
    @Test
    void claimThatTheServerDoesNotWriteIsRefused() {
        redis.onMaster().configSet("min-replicas-to-write", "5");
        assertThatThrownBy(() -> get(store.claim(claim("k"))))
                .isInstanceOf(ClaimsRefusedException.class)
                .hasMessageContaining("NOREPLICAS");
        redis.onMaster().configSet("min-replicas-to-write", "0");
        acquired(store, claim("k"));
    }

    @Test
    void aLookAtARecordWhoseLeaseIsOverIsAnsweredAlsoWhereTheServerWritesNothing() {
        get(store.claim(new Claim(id("k"), "charge", "fingerprint", "owner", Duration.ofMillis(1), RETENTION, false)));
        redis.onMaster().configSet("min-replicas-to-write", "5");
        await().untilAsserted(() -> assertThat(get(store.find(id("k"))))
                .hasValueSatisfying(seen -> assertThat(seen.state()).isEqualTo(RecordState.IN_DOUBT)));
        redis.onMaster().configSet("min-replicas-to-write", "0");
    }

    /** The server, asked first because all connections wait, answers: so it is not away. */
    @Test
    void claimOfARecordThatTheServerCannotPutInDoubtIsRefusedAlsoWhileAllConnectionsWait() {
        get(store.claim(new Claim(id("k"), "charge", "fingerprint", "owner", Duration.ofMillis(1), RETENTION, false)));
        try (RedisApplication patient = RedisApplication.on(redis.master().uri(), RedisApplication.ACKNOWLEDGED)) {
            RedisCommands<String, String> master = redis.onMaster();
            redis.replica().pause();
            List<CompletableFuture<ClaimResult>> waiting = eachOnAConnectionOfItsOwn(patient.store(), 16);
            master.configSet("min-replicas-to-write", "5");
            CompletableFuture<ClaimResult> claim =
                    Calls.waiting(() -> patient.store().claim(claim("k")));
            redis.replica().resume();
            assertThatThrownBy(() -> get(claim))
                    .isInstanceOf(ClaimsRefusedException.class)
                    .hasMessageContaining("NOREPLICAS");
            master.configSet("min-replicas-to-write", "0");
            waiting.forEach(Calls::get);
        }
    }

    /** The server answers over the connection that all callers share, so it is not away. */
    @Test
    void claimThatGetsNoConnectionOfItsOwnIsRefusedWhileTheServerAnswers() {
        RedisCommands<String, String> master = redis.onMaster();
        master.configSet("maxclients", "1");
        assertThatThrownBy(() -> get(store.claim(claim("k")))).isInstanceOf(ClaimsRefusedException.class);
        master.configSet("maxclients", "1000");
        acquired(store, claim("k"));
    }

    @Test
    void serverThatRefusesToWaitStopsTheStartAndTheMessageSaysWhatToPermit() {
        redis.onMaster().aclSetuser("limited", permissions().addPassword("pw").removeCommand(CommandType.WAIT));
        String limited = redis.master().uri().replace("redis://", "redis://limited:pw@");
        try (RedisApplication refused = RedisApplication.on(limited, RedisApplication.ACKNOWLEDGED)) {
            StartUpTest.assertRefused(refused.context(), "NOPERM", "+wait for replica-acknowledgements");
        }
    }

    @Test
    void claimAfterWhichTheServerRefusesToWaitIsRefusedWithThatReason() {
        acquired(store, claim("k"));
        redis.onMaster().aclSetuser("default", permissions().removeCommand(CommandType.WAIT));
        assertThatThrownBy(() -> get(store.claim(claim("other"))))
                .isInstanceOf(ClaimsRefusedException.class)
                .hasRootCauseInstanceOf(RedisCommandExecutionException.class)
                .hasStackTraceContaining("NOPERM");
    }

    private static AclSetuserArgs permissions() {
        return new AclSetuserArgs().on().allKeys().allChannels().allCommands();
    }

    @Test
    void replicaInPlaceOfTheMasterIsNamedAsSuchAlsoWhereItsReplicasHaveToAcknowledge() {
        try (RedisApplication refused = RedisApplication.on(redis.replica().uri(), RedisApplication.ACKNOWLEDGED)) {
            StartUpTest.assertRefused(refused.context(), "is a replica", "redis-sentinel://");
        }
    }

    @Test
    void claimWhileTheServerIsAwayIsNotCalledRefused() {
        acquired(store, claim("k"));
        redis.master().kill();
        assertThatThrownBy(() -> get(store.claim(claim("other")))).isInstanceOf(RedisException.class);
    }

    @Test
    void healthIsDownWhileTooFewReplicasAreConnected() {
        assertThat(store.health().usable()).isTrue();
        redis.onReplica().replicaofNoOne();
        await().untilAsserted(() -> assertThat(store.health()).satisfies(health -> {
            assertThat(health.usable()).isFalse();
            assertThat(health.details()).containsEntry("connectedReplicas", "0");
        }));
    }

    /** The first that gives up cancels the answer for which the other waits. */
    @Test
    void changesThatShareAWaitWithoutAnAnswerAreToldTheSame() {
        try (RedisApplication other = RedisApplication.on(
                redis.master().uri(),
                "idempotency.redis.replica-acknowledgements",
                "1",
                "idempotency.redis.replica-acknowledgement-timeout",
                "5s",
                "idempotency.redis.command-timeout",
                "6s")) {
            List<Renewal> renewals = renewals(other.store(), 2);
            RedisCommands<String, String> master = redis.onMaster();
            redis.replica().pause();
            CompletableFuture<List<Settled>> renewed =
                    waiting(() -> other.store().renew(renewals));
            await().until(() -> master.info("clients").contains("blocked_clients:1"));
            redis.master().pause();
            assertThat(get(renewed))
                    .hasSize(2)
                    .allSatisfy(answer -> assertThatThrownBy(() -> get(answer))
                            .hasMessageContaining("not enough replicas acknowledged"));
        }
    }

    @Test
    void claimRepeatedOnANewConnectionIsNotTakenForAcknowledged() {
        redis.replica().pause();
        Claim claim = claim("k");
        assertThatThrownBy(() -> get(store.claim(claim))).hasMessageContaining("acknowledged");
        reconnect();
        assertThatThrownBy(() -> get(store.claim(claim))).hasMessageContaining("acknowledged");
    }

    /** New connections have no write of their own to wait for. */
    private void reconnect() {
        RedisCommands<String, String> master = redis.onMaster();
        long connected = connections(master);
        master.clientKill(KillArgs.Builder.typeNormal().skipme());
        await().until(() -> connections(master) == connected);
    }

    private static long connections(RedisCommands<String, String> master) {
        return master.clientList(ClientListArgs.Builder.typeNormal()).lines().count();
    }

    /** Since Redis 7.2 WAIT waits for the last write of its own connection, and a new connection has none. */
    @Test
    void repeatedCallWritesSoThatThereIsSomethingToWaitFor() {
        RedisCommands<String, String> master = redis.onMaster();
        Claim claim = claim("k");
        Ownership owner = acquired(store, claim);
        assertThat(written(master, () -> store.claim(claim))).isPositive();
        get(store.complete(owner, result("done"), RETENTION));
        assertThat(written(master, () -> store.complete(owner, result("done"), RETENTION)))
                .isPositive();
        assertThat(written(master, () -> store.claim(claim("k")))).isZero();
    }

    private static long written(RedisCommands<String, String> master, Supplier<?> call) {
        master.configResetstat();
        get(call.get());
        return RedisApplication.executed(master).getOrDefault("set", 0L);
    }

    @Test
    void replayNeedsNoReplica() {
        Ownership owner = acquired(store, claim("k"));
        get(store.complete(owner, result("done"), RETENTION));
        redis.replica().pause();
        assertThat(get(store.claim(claim("k")))).isInstanceOf(ClaimResult.Duplicate.class);
        assertThat(get(store.find(id("k")))).isPresent();
    }

    /** Found by the campaign: a master that came back from the dead said so of a claim that no replica had received. */
    @Test
    void whatIsInDoubtIsNotSaidBeforeReplicasKnowOfIt() {
        Claim brief = new Claim(id("k"), "charge", "fingerprint", "owner", Duration.ofMillis(1), RETENTION, false);
        redis.replica().pause();
        assertThatThrownBy(() -> get(store.claim(brief))).hasMessageContaining("acknowledged");
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> get(store.claim(claim("k"))))
                    .as("not even the second time, when nothing is left to be kept of it")
                    .hasMessageContaining("acknowledged");
            reconnect();
        }
        redis.replica().resume();
        await().ignoreExceptions()
                .untilAsserted(
                        () -> assertThat(get(store.claim(claim("k")))).isInstanceOf(ClaimResult.Duplicate.class));
    }

    @Test
    void scriptsAreSentAgainAfterScriptFlush() {
        redis.onMaster().scriptFlush();
        acquired(store, claim("k"));
    }

    /** It could neither claim nor settle, but what only reads is not held up, however many wait for the replica. */
    @Test
    void stoppedReplicaHoldsUpNoReplay() {
        try (RedisApplication patient = RedisApplication.on(redis.master().uri(), RedisApplication.ACKNOWLEDGED)) {
            IdempotencyStore there = patient.store();
            get(there.complete(acquired(there, claim("k")), result("done"), RETENTION));
            redis.replica().pause();
            List<CompletableFuture<ClaimResult>> waiting = waitingFor(there, "new ", 50);
            for (int i = 0; i < 20; i++) {
                assertThat(get(there.claim(claim("k")))).isInstanceOf(ClaimResult.Duplicate.class);
            }
            assertThat(waiting).noneMatch(CompletableFuture::isDone);
            redis.replica().resume();
            waiting.forEach(Calls::get);
        }
    }

    /** What comes while one WAIT is under way shares the next. */
    @Test
    void manyCallersShareOneWait() {
        try (RedisApplication patient = RedisApplication.on(redis.master().uri(), RedisApplication.ACKNOWLEDGED)) {
            IdempotencyStore there = patient.store();
            RedisCommands<String, String> master = redis.onMaster();
            master.configResetstat();
            redis.replica().pause(); // so that the first is under way until all have come
            List<CompletableFuture<ClaimResult>> claims = waitingFor(there, "k", 100);
            redis.replica().resume();
            claims.forEach(Calls::get);
            assertThat(RedisApplication.executed(master).get("wait")).isLessThan(30);
        }
    }

    private static List<Renewal> renewals(IdempotencyStore store, int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> new Renewal(acquired(store, claim("k" + i)), RETENTION, RETENTION))
                .toList();
    }

    /** A promoted replica has no scripts. */
    @ParameterizedTest
    @CsvSource({"false, 1", "true, 2"})
    void renewalsOfManyClaimsShareOneWaitAndAnotherWhereTheServerForgotTheScript(boolean forgot, long waits) {
        List<Renewal> renewals = renewals(store, 50);
        RedisCommands<String, String> master = redis.onMaster();
        if (forgot) {
            master.scriptFlush();
        }
        master.configResetstat();
        assertThat(store.renew(renewals)).hasSize(50).containsOnly(new Settled.Applied());
        assertThat(RedisApplication.executed(master)).containsEntry("wait", waits);
    }

    @Test
    void loneFirstCallLooksNotAndWaitsOnce() {
        RedisCommands<String, String> master = redis.onMaster();
        master.configResetstat();
        acquired(store, claim("k"));
        assertThat(RedisApplication.executed(master))
                .as("the script's own look alone")
                .containsEntry("get", 1L)
                .containsEntry("evalsha", 1L)
                .containsEntry("wait", 1L);
    }

    /** Also where the next one comes while the caller is being told of the last. */
    @Test
    void loneFirstCallsOneAfterAnotherLookNot() {
        RedisCommands<String, String> master = redis.onMaster();
        master.configResetstat();
        for (int i = 0; i < 20; i++) {
            get(store.complete(acquired(store, claim("k" + i)), result("done"), RETENTION));
        }
        assertThat(RedisApplication.executed(master))
                .as("the scripts' own looks alone")
                .containsEntry("get", 40L)
                .containsEntry("evalsha", 40L);
    }

    @Test
    void loneReplayIsAnsweredBeforeTheReplicas() {
        try (RedisApplication patient = RedisApplication.on(redis.master().uri(), PATIENT)) {
            IdempotencyStore there = patient.store();
            get(there.complete(acquired(there, claim("k")), result("done"), RETENTION));
            RedisCommands<String, String> master = loseAWrite(there);
            assertThat(get(there.claim(claim("k")))).isInstanceOf(ClaimResult.Duplicate.class);
            assertThat(master.info("clients")).as("the WAIT sent with it").contains("blocked_clients:1");
            assertThat(RedisApplication.executed(master)).containsEntry("evalsha", 1L);
        }
    }

    @Test
    void replayWhoseScriptTheServerForgotIsNotHeldUpByTheReplicas() {
        get(store.complete(acquired(store, claim("k")), result("done"), RETENTION));
        RedisCommands<String, String> master = loseAWrite(store);
        master.scriptFlush();
        assertThat(get(store.claim(claim("k")))).isInstanceOf(ClaimResult.Duplicate.class);
    }

    /** Leaves the replica stopped, and its connection with something to wait for that does not come. */
    private RedisCommands<String, String> loseAWrite(IdempotencyStore there) {
        redis.replica().pause();
        assertThatThrownBy(() -> get(there.claim(claim("lost")))).hasMessageContaining("acknowledged");
        RedisCommands<String, String> master = redis.onMaster();
        master.configResetstat();
        return master;
    }
}
