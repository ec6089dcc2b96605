package io.idempotency.redis;

import static io.idempotency.redis.Calls.RETENTION;
import static io.idempotency.redis.Calls.acquired;
import static io.idempotency.redis.Calls.claim;
import static io.idempotency.redis.Calls.get;
import static io.idempotency.redis.Calls.id;
import static io.idempotency.redis.Calls.result;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.idempotency.runtime.store.AuditNote;
import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.ClaimResult;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.RecordState;
import io.idempotency.runtime.store.Resolution;
import io.idempotency.runtime.store.Settled;
import io.idempotency.runtime.store.StoredFailure;
import io.idempotency.runtime.store.UnreadableRecordException;
import io.idempotency.test.servers.RedisServer;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Something else than a sound record is under the key: every verb refuses it, and it stays as it is. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ForeignRecordTest {

    private static final String KEY = "idempotency:" + id("k");

    private RedisApplication application;
    private IdempotencyStore store;
    private RedisCommands<String, String> redis;

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

    private static Arguments foreign(String name, Consumer<RedisCommands<String, String>> put, String said) {
        return arguments(name, put, said);
    }

    private static Stream<Arguments> foreignKeys() {
        return Stream.of(
                foreign("a string", redis -> redis.set(KEY, "not a hash"), "something else than a record"),
                foreign("a list", redis -> redis.rpush(KEY, "not", "a hash"), "something else than a record"),
                foreign("a set", redis -> redis.sadd(KEY, "x"), "something else than a record"),
                foreign("a hash", redis -> redis.hset(KEY, "name", "somebody's own"), "format is missing"),
                foreign("a hash with a state", redis -> redis.hset(KEY, "state", "COMPLETED"), "format is missing"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("foreignKeys")
    void whatIsNoRecordIsRefusedAndLeftAlone(String name, Consumer<RedisCommands<String, String>> put, String said) {
        put.accept(redis);
        assertRefusedByEveryVerb(new Ownership(id("k"), "somebody", 1), said);
    }

    private static Stream<Arguments> brokenFields() {
        Stream<Arguments> numbers = Stream.of("fence", "attempt", "claimed_ms", "lease_until_ms", "expires_ms")
                .flatMap(field -> Stream.of(
                                "", "soon", "0x10", "1e3", "nan", "inf", "-5", "1.5", " 7", "99999999999999999999")
                        .map(value -> arguments(field, value, "no whole number")));
        return Stream.concat(
                numbers,
                Stream.of(
                        arguments("attempt", "2147483648", "no whole number"),
                        arguments("settled_ms", "yesterday", "no whole number"),
                        arguments("format", "", "format is "),
                        arguments("state", "", "state is "),
                        arguments("state", "RUNNING", "state is RUNNING"),
                        arguments("state", "COMPLETED", "outcome is missing"),
                        arguments("state", "FAILED", "outcome is missing")));
    }

    @ParameterizedTest(name = "{0} is ''{1}''")
    @MethodSource("brokenFields")
    void recordWithABrokenFieldIsRefusedAndLeftAlone(String field, String value, String said) {
        Ownership owner = acquired(store, claim("k"));
        redis.hset(KEY, field, value);
        assertRefusedByEveryVerb(owner, said);
    }

    private static Stream<Arguments> missingFields() {
        return Stream.of(
                        "format",
                        "state",
                        "operation",
                        "fingerprint",
                        "owner",
                        "fence",
                        "attempt",
                        "claimed_ms",
                        "lease_until_ms")
                .map(Arguments::of);
    }

    @ParameterizedTest
    @MethodSource("missingFields")
    void recordWithoutAFieldIsRefusedAndLeftAlone(String field) {
        Ownership owner = acquired(store, claim("k"));
        redis.hdel(KEY, field);
        assertRefusedByEveryVerb(owner, "its ");
    }

    /** Redis would have removed the key by itself; so the field was changed, and the record is not over. */
    @Test
    void expiryThatContradictsTheKeysTimeToLiveIsRefused() {
        Ownership owner = acquired(store, claim("k"));
        get(store.complete(owner, result("done"), RETENTION));
        redis.hset(KEY, "expires_ms", "1000");
        assertRefusedByEveryVerb(owner, "time to live");
    }

    private void assertRefusedByEveryVerb(Ownership owner, String said) {
        byte[] before = dump();
        List<Supplier<CompletionStage<?>>> verbs = List.of(
                () -> store.claim(claim("k")),
                () -> store.claim(claim("k", owner.owner())),
                () -> store.claim(takingOver()),
                () -> store.complete(owner, result("x"), RETENTION),
                () -> store.fail(owner, new StoredFailure("T", null, null), RETENTION),
                () -> store.release(owner),
                () -> store.doubt(owner, "lost", RETENTION),
                () -> store.renew(owner, Duration.ofSeconds(1), RETENTION),
                () -> store.find(owner.id()),
                () -> store.resolve(
                        owner.id(),
                        owner.fence(),
                        new Resolution.Forget(),
                        new AuditNote("anna: looked it up", Duration.ofDays(1))));
        assertThat(verbs)
                .allSatisfy(verb -> assertThatThrownBy(() -> get(verb.get()))
                        .isInstanceOf(UnreadableRecordException.class)
                        .hasMessageContaining(said));
        assertThat(get(store.list(RecordState.IN_PROGRESS, Duration.ZERO, 10))).isEmpty();
        assertThat(dump()).isEqualTo(before);
    }

    private byte[] dump() {
        return redis.dump(KEY);
    }

    private static Claim takingOver() {
        Claim claim = claim("k");
        return new Claim(
                claim.id(), claim.operation(), claim.fingerprint(), claim.owner(), claim.lease(), RETENTION, true);
    }

    @Test
    void recordWhoseTimeToLiveSomebodyRemovedIsKeptUntilItsRetentionIsOver() {
        Ownership owner = acquired(store, claim("k"));
        get(store.complete(owner, result("done"), RETENTION));
        redis.persist(KEY);
        assertThat(get(store.claim(claim("k")))).isInstanceOf(ClaimResult.Duplicate.class);
        redis.hset(KEY, "expires_ms", "1000");
        assertThat(get(store.find(id("k")))).isEmpty();
        assertThat(get(store.list(RecordState.COMPLETED, Duration.ZERO, 10))).isEmpty();
        assertThat(get(store.complete(owner, result("late"), RETENTION))).isInstanceOf(Settled.Stale.class);
    }

    @Test
    void claimInPlaceOfSuchARecordLeavesNothingOfIt() {
        get(store.complete(acquired(store, claim("k")), result("done"), RETENTION));
        redis.persist(KEY);
        redis.hset(KEY, Map.of("expires_ms", "1000", "attempt", "7"));
        Ownership next = acquired(store, claim("k"));
        assertThat(redis.hgetall(KEY))
                .doesNotContainKeys("result", "settled_ms")
                .containsEntry("attempt", "1");
        assertThat(redis.pttl(KEY)).isPositive();
        get(store.fail(next, new StoredFailure("T", null, null), RETENTION));
        assertThat(get(store.find(id("k"))).orElseThrow().result()).isNull();
    }
}
