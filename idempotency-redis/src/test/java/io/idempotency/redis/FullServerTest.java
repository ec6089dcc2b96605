package io.idempotency.redis;

import static io.idempotency.redis.Calls.RETENTION;
import static io.idempotency.redis.Calls.acquired;
import static io.idempotency.redis.Calls.claim;
import static io.idempotency.redis.Calls.get;
import static io.idempotency.redis.Calls.id;
import static io.idempotency.redis.Calls.key;
import static io.idempotency.redis.Calls.result;
import static io.idempotency.runtime.store.IdempotencyStore.FOREVER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.idempotency.runtime.store.AuditNote;
import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.ClaimResult;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.IdempotencyStore.StoreFullException;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.RecordState;
import io.idempotency.runtime.store.Renewal;
import io.idempotency.runtime.store.Resolution;
import io.idempotency.runtime.store.ResultRejectedException;
import io.idempotency.runtime.store.Settled;
import io.idempotency.runtime.store.SettlementSignals.Subscription;
import io.idempotency.runtime.store.StoredFailure;
import io.idempotency.runtime.store.StoredRecord;
import io.idempotency.runtime.store.StoredResult;
import io.idempotency.test.servers.RedisServer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.StringCodec;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Redis has no memory left and evicts nothing: new work is refused first, and what finishes work always passes. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FullServerTest {

    private static final StoredFailure FAILURE = new StoredFailure("com.acme.Declined", null, null);
    private static final Duration LEASE = Duration.ofMinutes(5);

    private RedisServer server;
    private RedisClient client;
    private RedisCommands<String, String> redis;
    private RedisApplication application;
    private RedisIdempotencyStore store;

    @BeforeAll
    void start() {
        server = RedisServer.start("--maxmemory-policy", "noeviction");
        client = RedisClient.create(server.uri());
        redis = client.connect(new StringCodec(StandardCharsets.ISO_8859_1)).sync();
        application = RedisApplication.on(server.uri());
        store = application.store();
    }

    @AfterAll
    void stop() {
        application.close();
        client.shutdown();
        server.close();
    }

    @BeforeEach
    void empty() {
        redis.configSet("maxmemory", "0");
        redis.flushall();
    }

    private void fill() {
        redis.configSet("maxmemory", "1");
    }

    private static void assertFull(Supplier<?> call) {
        assertThatThrownBy(() -> get(call.get()))
                .isInstanceOf(StoreFullException.class)
                .hasMessageContaining("OOM");
    }

    @Test
    void claimsAreMadeUntilTheMemoryIsFullAndNoFurther() {
        long used = Long.parseLong(redis.info("memory").replaceAll("(?s).*used_memory:(\\d+).*", "$1"));
        redis.configSet("maxmemory", Long.toString(used + 1_000_000));
        assertThatThrownBy(() -> {
                    for (int i = 0; i < 20_000; i++) {
                        get(store.claim(claim("k" + i)));
                    }
                })
                .hasMessageContaining("OOM");
        assertThat(redis.dbsize()).isBetween(10L, 10_000L);
    }

    @Test
    void newClaimIsRefusedAndNotMade() {
        fill();
        assertFull(() -> store.claim(claim("k")));
        assertThat(redis.dbsize()).isZero();
    }

    @Test
    void takeOverGoesOn() {
        Ownership owner = acquired(store, claim("k"));
        get(store.doubt(owner, "lost", RETENTION));
        fill();
        Claim other = claim("k");
        Ownership taken = acquired(
                store,
                new Claim(other.id(), other.operation(), other.fingerprint(), other.owner(), LEASE, RETENTION, true));
        assertThat(taken.fence()).isGreaterThan(owner.fence());
        assertThat(get(store.complete(taken, result("done"), RETENTION))).isInstanceOf(Settled.Applied.class);
    }

    /** A record whose time to live somebody removed would be replaced; also that is a new claim. */
    @Test
    void claimInPlaceOfAnExpiredRecordIsRefusedAndChangesNothing() {
        String key = key("k");
        get(store.complete(acquired(store, claim("k")), result("done"), RETENTION));
        redis.set(
                key,
                Packed.of(redis.get(key)).forged(Packed.Number.EXPIRES_MS, 1).text());
        byte[] before = redis.dump(key);
        fill();
        assertFull(() -> store.claim(claim("k")));
        assertThat(redis.dump(key)).isEqualTo(before);
    }

    private interface Verb extends BiFunction<IdempotencyStore, Ownership, Settled> {}

    private static Arguments verb(@Nullable RecordState afterwards, @Nullable Duration kept, Verb verb) {
        return arguments(verb, afterwards, kept);
    }

    /** What owners say, the state that it leaves, and how long the record is kept from then on: null for ever. */
    private static Stream<Arguments> verbs() {
        Duration day = Duration.ofDays(1);
        return Stream.of(
                verb(RecordState.COMPLETED, day, (store, owner) -> store.complete(owner, result("done"), day)),
                verb(RecordState.COMPLETED, null, (store, owner) -> store.complete(owner, result("done"), FOREVER)),
                verb(RecordState.FAILED, day, (store, owner) -> store.fail(owner, FAILURE, day)),
                verb(RecordState.IN_DOUBT, day, (store, owner) -> store.doubt(owner, "lost", day)),
                verb(RecordState.IN_DOUBT, null, (store, owner) -> store.doubt(owner, "lost", FOREVER)),
                verb(
                        RecordState.IN_PROGRESS,
                        day,
                        (store, owner) -> store.renew(List.of(new Renewal(owner, LEASE, day)))
                                .get(0)),
                verb(null, day, (store, owner) -> store.release(owner)));
    }

    @ParameterizedTest
    @MethodSource("verbs")
    void ownersFinishTheirWorkAlsoWhenTheySayItAgain(
            Verb verb, @Nullable RecordState afterwards, @Nullable Duration kept) {
        Ownership owner = acquired(store, claim("k"));
        fill();
        assertThat(get(verb.apply(store, owner))).isInstanceOf(Settled.Applied.class);
        assertState(afterwards);
        assertThat(get(verb.apply(store, owner))).isInstanceOf(Settled.Applied.class);
        assertState(afterwards);
        if (afterwards != null) {
            assertThat(redis.pttl(key("k")))
                    .isBetween(kept == null ? -1 : kept.toMillis() - 60_000, kept == null ? -1 : kept.toMillis());
        }
    }

    private void assertState(@Nullable RecordState state) {
        assertThat(get(store.find(id("k"))).map(StoredRecord::state)).isEqualTo(Optional.ofNullable(state));
    }

    private static Stream<Arguments> resolutions() {
        return Stream.of(
                arguments(new Resolution.Complete(result("done"), RETENTION), RecordState.COMPLETED),
                arguments(new Resolution.Complete(result("done"), FOREVER), RecordState.COMPLETED),
                arguments(new Resolution.Fail(FAILURE, RETENTION), RecordState.FAILED),
                arguments(new Resolution.Forget(), null));
    }

    @ParameterizedTest
    @MethodSource("resolutions")
    void operatorsSettleWhatIsInDoubt(Resolution resolution, @Nullable RecordState afterwards) {
        Ownership owner = acquired(store, claim("k"));
        get(store.doubt(owner, "lost", RETENTION));
        fill();
        assertThat(get(store.resolve(
                        owner.id(),
                        owner.fence(),
                        resolution,
                        new AuditNote("anna: looked it up", Duration.ofDays(1)))))
                .isInstanceOf(Settled.Applied.class);
        assertState(afterwards);
        assertThat(get(store.audit(owner.id()))).containsExactly("anna: looked it up");
    }

    private static Stream<Verb> oneByteTooMany() {
        StoredResult large = largest("x");
        StoredFailure failure = new StoredFailure("com.acme.Declined", "x".repeat(1 << 20), null);
        return Stream.of(
                (store, owner) -> store.complete(owner, large, RETENTION),
                (store, owner) -> store.fail(owner, failure, RETENTION),
                (store, owner) -> {
                    get(store.doubt(owner, "lost", RETENTION));
                    AuditNote note = new AuditNote("anna: looked it up", RETENTION);
                    return store.resolve(owner.id(), owner.fence(), new Resolution.Complete(large, RETENTION), note);
                });
    }

    /** With its checksum and its kind, and what comes on top. */
    private static StoredResult largest(String more) {
        return result("x".repeat((1 << 20) - 9) + more);
    }

    @ParameterizedTest
    @MethodSource("oneByteTooMany")
    void outcomeThatTheServerDoesNotTakeIsRejectedBeforeItIsSent(Verb verb) {
        redis.configSet("proto-max-bulk-len", "1mb");
        Ownership owner = acquired(store, claim("k"));
        assertThatThrownBy(() -> verb.apply(store, owner)).isInstanceOf(ResultRejectedException.class);
        assertThat(get(store.complete(owner, largest(""), RETENTION))).isInstanceOf(Settled.Applied.class);
    }

    @Test
    void ownerFindsItsClaimAndDuplicatesFindTheRecord() {
        Claim claim = claim("k");
        Ownership owner = acquired(store, claim);
        fill();
        assertThat(get(store.claim(claim))).isEqualTo(new ClaimResult.Acquired(owner.fence(), 1));
        try (Subscription listening = store.signals().orElseThrow().listen(id("k"), () -> {})) {
            assertThat(get(store.claim(claim("k")))).isInstanceOf(ClaimResult.Duplicate.class);
        }
        get(store.complete(owner, result("done"), RETENTION));
        assertThat(get(store.claim(claim("k")))).isInstanceOf(ClaimResult.Duplicate.class);
    }
}
