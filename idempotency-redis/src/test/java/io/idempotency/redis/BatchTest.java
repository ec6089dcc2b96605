package io.idempotency.redis;

import static io.idempotency.redis.Calls.RETENTION;
import static io.idempotency.redis.Calls.acquired;
import static io.idempotency.redis.Calls.claim;
import static io.idempotency.redis.Calls.get;
import static io.idempotency.redis.Calls.id;
import static io.idempotency.redis.Calls.key;
import static io.idempotency.redis.Calls.result;
import static io.idempotency.redis.Calls.waiting;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.idempotency.redis.connection.RedisConnection;
import io.idempotency.redis.script.RecordParts;
import io.idempotency.redis.script.Script;
import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.ClaimResult;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.Settled;
import io.idempotency.runtime.store.StoreFullException;
import io.idempotency.test.servers.FaultProxy;
import io.idempotency.test.servers.FreePort;
import io.idempotency.test.servers.RedisServer;
import io.lettuce.core.Range;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Many callers share scripts: each is told what became of its own call. */
class BatchTest {

    private final RedisServer server = RedisServer.start("--appendonly", "yes");
    private final FaultProxy network = FaultProxy.to(server.host(), server.port());
    private final RedisClient bypass = RedisClient.create(server.uri());
    private RedisCommands<String, String> redis;
    private RedisApplication application;
    private RedisIdempotencyStore store;

    @BeforeEach
    void start() {
        redis = bypass.connect().sync();
        application = RedisApplication.on(
                "redis://127.0.0.1:" + network.port(),
                "idempotency.redis.batch-above",
                "1",
                "idempotency.redis.required-durability",
                "every-second");
        store = application.store();
        redis.configResetstat();
    }

    @AfterEach
    void stop() {
        network.pass();
        application.close();
        network.close();
        bypass.shutdown();
        server.close();
    }

    private long executed(String command) {
        return RedisApplication.executed(redis).getOrDefault(command, 0L);
    }

    private static List<Claim> claims(int count) {
        return IntStream.range(0, count).mapToObj(i -> claim("k" + i)).toList();
    }

    /** The first goes by itself, and the others wait for it. */
    private List<CompletableFuture<ClaimResult>> together(List<Claim> claims) {
        network.stall();
        CompletableFuture<ClaimResult> first = waiting(() -> store.claim(claim("first")));
        List<CompletableFuture<ClaimResult>> others = waitingFor(store, claims);
        network.pass();
        get(first);
        return others;
    }

    private static List<CompletableFuture<ClaimResult>> waitingFor(RedisIdempotencyStore store, List<Claim> claims) {
        return claims.stream().map(claim -> waiting(() -> store.claim(claim))).toList();
    }

    private List<Ownership> owners(List<Claim> claims) {
        List<CompletableFuture<ClaimResult>> granted = together(claims);
        return IntStream.range(0, claims.size())
                .mapToObj(i -> new Ownership(
                        claims.get(i).id(),
                        claims.get(i).owner(),
                        ((ClaimResult.Acquired) get(granted.get(i))).fence()))
                .toList();
    }

    private List<CompletableFuture<Settled>> complete(List<Ownership> owners) {
        network.stall();
        List<CompletableFuture<Settled>> asked = owners.stream()
                .map(owner -> waiting(() -> store.complete(owner, result(owner.owner()), RETENTION)))
                .toList();
        network.pass();
        return asked;
    }

    @Test
    void manyCallersShareAScriptAndAProofOfDurability() {
        List<Ownership> owners = owners(claims(60));
        assertThat(RedisApplication.executed(redis))
                .as("the first, and one batch")
                .containsEntry("evalsha", 2L)
                .containsEntry("info", 2L);
        complete(owners).forEach(done -> assertThat(get(done)).isInstanceOf(Settled.Applied.class));
        assertThat(executed("evalsha")).isLessThan(30);
        assertThat(redis.zcard("idempotency:{" + id("k0").value().substring(0, 2) + "}open"))
                .isZero();
        owners.forEach(owner ->
                assertThat(get(store.find(owner.id())).orElseThrow().result()).isEqualTo(result(owner.owner())));
    }

    @Test
    void replaysShareAScript() {
        complete(owners(claims(40))).forEach(Calls::get);
        redis.configResetstat();
        together(claims(40))
                .forEach(replay -> assertThat(get(replay))
                        .isInstanceOfSatisfying(
                                ClaimResult.Duplicate.class,
                                found -> assertThat(found.record().result()).isNotNull()));
        assertThat(executed("evalsha")).isEqualTo(2);
    }

    @Test
    void duplicatesInOneBatchAreOneClaim() {
        List<ClaimResult> answers = together(
                        Stream.generate(() -> claim("k")).limit(40).toList())
                .stream()
                .map(Calls::get)
                .toList();
        assertThat(answers).filteredOn(ClaimResult.Acquired.class::isInstance).hasSize(1);
        assertThat(answers).filteredOn(ClaimResult.Duplicate.class::isInstance).hasSize(39);
    }

    @Test
    void batchWhoseAnswerWasLostIsNotSentAgainAndEachOwnerFindsItsClaim() {
        List<Claim> claims = claims(40);
        network.resetOnReplyTo(key("k0"));
        List<CompletableFuture<ClaimResult>> others = together(claims);
        others.forEach(lost -> assertThatThrownBy(() -> get(lost)).isInstanceOf(RuntimeException.class));
        assertThat(executed("evalsha")).isEqualTo(2);
        network.pass();
        await().ignoreExceptions().until(() -> get(store.find(id("unused"))).isEmpty());

        for (int i = 0; i < 40; i++) {
            assertThat(get(store.claim(claim("k" + i)))).isInstanceOf(ClaimResult.Duplicate.class);
            long fence = get(store.find(id("k" + i))).orElseThrow().fence();
            assertThat(get(store.claim(claims.get(i)))).isEqualTo(new ClaimResult.Acquired(fence, 1));
        }
    }

    @Test
    void callersBehindACallThatIsNotAnsweredAreToldInTimeAndNothingIsClaimed() {
        try (RedisApplication impatient = RedisApplication.on(
                "redis://127.0.0.1:" + network.port(),
                "idempotency.redis.batch-above",
                "1",
                "idempotency.redis.command-timeout",
                "2s")) {
            RedisIdempotencyStore other = impatient.store();
            network.stall();
            CompletableFuture<ClaimResult> first = waiting(() -> other.claim(claim("first")));
            List<CompletableFuture<ClaimResult>> others = waitingFor(other, claims(20));
            assertThatThrownBy(() -> get(first)).isInstanceOf(RedisCommandTimeoutException.class);
            others.forEach(told -> assertThatThrownBy(() -> get(told)).isInstanceOf(RuntimeException.class));
            network.pass();
            await().ignoreExceptions().until(() -> get(other.find(id("unused"))).isEmpty());
            assertThat(redis.keys("idempotency:*")).isEmpty();
        }
    }

    @Test
    void callersBehindACallWhoseConnectionBreaksClaimNothingOrHearThatTheyDid() {
        network.stall();
        CompletableFuture<ClaimResult> first = waiting(() -> store.claim(claim("first")));
        List<Claim> claims = claims(100);
        List<CompletableFuture<ClaimResult>> others = waitingFor(store, claims);
        network.reset();
        assertThatThrownBy(() -> get(first)).isInstanceOf(RuntimeException.class);
        network.pass();
        await().ignoreExceptions().until(() -> get(store.find(id("unused"))).isEmpty());
        for (int i = 0; i < claims.size(); i++) {
            boolean told = get(others.get(i).handle((won, failure) -> won instanceof ClaimResult.Acquired));
            assertThat(get(store.find(claims.get(i).id())).isPresent()).isEqualTo(told);
        }
        assertThat(get(store.claim(claim("k0")))).isInstanceOf(ClaimResult.class);
    }

    /** Redis does nothing else while it writes an answer, and has to have room for it. */
    @Test
    void replaysOfLargeResultsDoNotAllShareAnAnswer() {
        String large = "x".repeat(100_000);
        owners(claims(40)).forEach(owner -> get(store.complete(owner, result(large), RETENTION)));
        redis.configResetstat();
        together(claims(40))
                .forEach(replay -> assertThat(get(replay))
                        .isInstanceOfSatisfying(
                                ClaimResult.Duplicate.class,
                                found -> assertThat(found.record().result()).isEqualTo(result(large))));
        assertThat(executed("evalsha")).isBetween(30L, 35L);
    }

    /** Such as the one node that a small cluster has, or a proxy before one: keys of several slots are refused together. */
    @Test
    void whereKeysMayNotShareAScriptEachGoesByItself() {
        try (RedisServer node = RedisServer.onHost("--cluster-enabled", "yes", "--cluster-port", "" + FreePort.next());
                RedisClient client = RedisClient.create(node.uri())) {
            RedisCommands<String, String> direct = client.connect().sync();
            direct.clusterAddSlotsRange(Range.create(0, 16383));
            await().until(() -> direct.clusterInfo().contains("cluster_state:ok"));
            try (RedisApplication plain = RedisApplication.on(node.uri(), "idempotency.redis.batch-above", "0")) {
                List<Claim> claims = claims(100);
                List<Ownership> owners = waitingFor(plain.store(), claims).stream()
                        .map(Calls::get)
                        .map(ClaimResult.Acquired.class::cast)
                        .map(ClaimResult.Acquired::fence)
                        .map(fence ->
                                new Ownership(claims.get(0).id(), claims.get(0).owner(), fence))
                        .toList();
                assertThat(owners).hasSize(100);
                assertThat(get(plain.store().complete(owners.get(0), result("done"), RETENTION)))
                        .isInstanceOf(Settled.Applied.class);
            }
        }
    }

    /** Its caller has given up by then; those of the others have not. */
    @Test
    void claimThatIsReadAfterItsOwnDeadlineIsLeftOut() {
        byte[] over = RecordParts.bytes("1");
        byte[] none = new byte[0];
        String script = redis.scriptLoad(Script.CLAIMS.source());
        assertThat(this.<List<Object>>evaluate(script, claims(3), List.of(none, over, none))
                        .subList(1, 4))
                .containsExactly(1L, 0L, 1L);
        assertThat(redis.exists(key("k0"), key("k1"), key("k2"))).isEqualTo(2);
    }

    private <T> T evaluate(String script, List<Claim> claims, List<byte[]> deadlines) {
        String[] keys = claims.stream()
                .flatMap(claim -> Stream.of(
                        key("k" + claims.indexOf(claim)),
                        "idempotency:{" + claim.id().value().substring(0, 2) + "}open"))
                .toArray(String[]::new);
        byte[][] arguments = IntStream.range(0, claims.size())
                .boxed()
                .flatMap(i -> Stream.of(
                        RecordParts.identity(claims.get(i)),
                        RecordParts.bytes(RETENTION),
                        RecordParts.bytes(RETENTION),
                        deadlines.get(i),
                        new byte[0],
                        new byte[0]))
                .toArray(byte[][]::new);
        return bypass.connect(RedisConnection.CODEC).sync().evalsha(script, ScriptOutputType.MULTI, keys, arguments);
    }

    @Test
    void batchThatFailsHalfWayFailsForItsOwnCallersOnly() {
        String index = "idempotency:{" + id("k7").value().substring(0, 2) + "}open";
        redis.set(index, "not an index");
        List<Claim> claims = claims(40);
        List<CompletableFuture<ClaimResult>> granted = together(claims);
        for (int i = 0; i < 40; i++) {
            CompletableFuture<ClaimResult> one = granted.get(i);
            if (claims.get(i).id().value().startsWith(id("k7").value().substring(0, 2))) {
                assertThatThrownBy(() -> get(one)).hasMessageContaining("WRONGTYPE");
            } else {
                assertThat(get(one)).isInstanceOf(ClaimResult.Acquired.class);
            }
        }
    }

    @Test
    void fullServerRefusesClaimsOfABatchAndLetsOutcomesPass() {
        List<Ownership> owners = owners(claims(40));
        redis.configSet("maxmemory", "1");
        List<CompletableFuture<ClaimResult>> refused =
                together(IntStream.range(40, 80).mapToObj(i -> claim("k" + i)).toList());
        refused.forEach(claim -> assertThatThrownBy(() -> get(claim)).isInstanceOf(StoreFullException.class));
        complete(owners).forEach(done -> assertThat(get(done)).isInstanceOf(Settled.Applied.class));
        assertThat(redis.exists(key("k50"))).isZero();
    }

    @Test
    void scriptsThatTheServerForgotAreSentAgain() {
        network.stall();
        CompletableFuture<ClaimResult> first = waiting(() -> store.claim(claim("first")));
        List<CompletableFuture<ClaimResult>> others = waitingFor(store, claims(40));
        redis.scriptFlush();
        network.pass();
        get(first);
        others.forEach(claim -> assertThat(get(claim)).isInstanceOf(ClaimResult.Acquired.class));
    }

    @Test
    void fewCallersWaitForNobody() {
        try (RedisApplication plain = RedisApplication.on("redis://127.0.0.1:" + network.port())) {
            RedisIdempotencyStore other = plain.store();
            redis.configResetstat();
            network.latency(Duration.ofMillis(200));
            List<CompletableFuture<ClaimResult>> few = waitingFor(other, claims(4));
            await().until(() -> executed("evalsha") == 4);
            few.forEach(claim -> assertThat(get(claim)).isInstanceOf(ClaimResult.Acquired.class));
        }
    }

    @Test
    void largeResultGoesByItself() {
        List<Ownership> owners = owners(claims(20));
        redis.configResetstat();
        owners.stream()
                .map(owner -> waiting(() -> store.complete(owner, result("x".repeat(10_000)), RETENTION)))
                .toList()
                .forEach(done -> assertThat(get(done)).isInstanceOf(Settled.Applied.class));
        assertThat(executed("evalsha")).isEqualTo(20);
    }

    @Test
    void batchesCanBeSwitchedOff() {
        try (RedisApplication never = RedisApplication.on(server.uri(), "idempotency.redis.batch-above", "-1")) {
            waitingFor(never.store(), claims(100)).forEach(Calls::get);
            assertThat(executed("evalsha")).isEqualTo(100);
        }
        assertThat(acquired(store, claim("k"))).isNotNull();
    }
}
