package io.idempotency.redis;

import static io.idempotency.redis.Calls.RETENTION;
import static io.idempotency.redis.Calls.acquired;
import static io.idempotency.redis.Calls.claim;
import static io.idempotency.redis.Calls.get;
import static io.idempotency.redis.Calls.id;
import static io.idempotency.redis.Calls.key;
import static io.idempotency.redis.Calls.result;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.idempotency.runtime.store.AuditNote;
import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.ClaimResult;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.RecordState;
import io.idempotency.runtime.store.Renewal;
import io.idempotency.runtime.store.Resolution;
import io.idempotency.runtime.store.Settled;
import io.idempotency.runtime.store.StoredFailure;
import io.idempotency.runtime.store.StoredRecord;
import io.idempotency.runtime.store.UnreadableRecordException;
import io.lettuce.core.SetArgs;
import io.lettuce.core.api.sync.RedisCommands;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Something else than a sound record is under the key: every verb refuses it, and it stays as it is. */
@Tag("any-jdk")
class ForeignRecordTest extends OnSharedRedis {

    private static final String KEY = key("k");

    private static Arguments foreign(String name, Consumer<RedisCommands<String, String>> put, String said) {
        return arguments(name, put, said);
    }

    private static Stream<Arguments> foreignKeys() {
        return Stream.of(
                foreign("a text", redis -> redis.set(KEY, "not a record"), "format is n"),
                foreign("nothing", redis -> redis.set(KEY, ""), "format is missing"),
                foreign("zeros", redis -> redis.set(KEY, "\0".repeat(200)), "format is"),
                foreign("half a head", redis -> redis.set(KEY, "1-P0123"), "cut off"),
                foreign("a list", redis -> redis.rpush(KEY, "not", "a record"), "something else than a record"),
                foreign("a set", redis -> redis.sadd(KEY, "x"), "something else than a record"),
                foreign("a hash", redis -> redis.hset(KEY, "state", "COMPLETED"), "something else than a record"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("foreignKeys")
    void whatIsNoRecordIsRefusedAndLeftAlone(String name, Consumer<RedisCommands<String, String>> put, String said) {
        put.accept(redis);
        assertThatThrownBy(() -> store.erase(id("k"), new AuditNote("anna: was asked to", RETENTION)))
                .isInstanceOf(UnreadableRecordException.class);
        assertRefusedByEveryVerb(new Ownership(id("k"), "somebody", 1), said);
    }

    private void change(UnaryOperator<Packed> change) {
        redis.set(KEY, change.apply(Packed.of(redis.get(KEY))).text(), SetArgs.Builder.keepttl());
    }

    private static Stream<Arguments> numbers() {
        return Arrays.stream(Packed.Number.values())
                .flatMap(number -> Stream.of(0, 1, 68, 255).map(value -> arguments(number, value)));
    }

    @ParameterizedTest
    @MethodSource("numbers")
    void recordWithAChangedNumberIsRefusedAndLeftAlone(Packed.Number number, int value) {
        Ownership owner = acquired(store, claim("k"));
        assumeThat(Packed.of(redis.get(KEY)).get(number)).isNotEqualTo(value);
        change(record -> record.damaged(number, value));
        assertRefusedByEveryVerb(owner, "");
    }

    @ParameterizedTest
    @EnumSource
    void settledRecordWithAChangedNumberIsRefusedAndLeftAlone(Packed.Number number) {
        Ownership owner = acquired(store, claim("k"));
        get(store.complete(owner, result("done"), RETENTION));
        change(record -> record.damaged(number, record.get(number) ^ 1));
        assertRefusedByEveryVerb(owner, "");
    }

    @Test
    void recordOfANewerFormatIsRefusedAndLeftAlone() {
        Ownership owner = acquired(store, claim("k"));
        change(record -> record.with(0, (byte) '3'));
        assertRefusedByEveryVerb(owner, "format is 3");
    }

    @Test
    void recordThatLacksTheArgumentsOfItsFormatIsRefusedAndLeftAlone() {
        Ownership owner = acquired(store, claim("k"));
        change(record -> record.with(0, (byte) '2'));
        assertRefusedByEveryVerb(owner, "its arguments are cut off");
    }

    @Test
    void stateThatNobodyKnowsIsRefused() {
        Ownership owner = acquired(store, claim("k"));
        change(record -> record.forged(Packed.Number.STATE, 'X'));
        assertRefusedByEveryVerb(owner, "its state is");
    }

    @Test
    void settledRecordWithoutAnOutcomeIsRefused() {
        Ownership owner = acquired(store, claim("k"));
        change(record -> record.forged(Packed.Number.STATE, 'C'));
        assertThatThrownBy(() -> get(store.claim(claim("k")))).isInstanceOf(UnreadableRecordException.class);
        change(record -> record.forged(Packed.Number.STATE, 'F'));
        assertThatThrownBy(() -> get(store.find(owner.id()))).isInstanceOf(UnreadableRecordException.class);
    }

    @Test
    void openRecordThatWasCutOffIsRefusedAndLeftAlone() {
        Ownership owner = acquired(store, claim("k"));
        change(record -> record.cut(record.text().length() - 1));
        assertRefusedByEveryVerb(owner, "was changed");
    }

    @Test
    void recordThatWasCutOffIsRefused() {
        Ownership owner = acquired(store, claim("k"));
        get(store.complete(owner, result("done"), RETENTION));
        int length = redis.get(KEY).length();
        for (int cut = 0; cut < length; cut++) {
            int to = cut;
            change(record -> record.cut(to));
            assertThatThrownBy(() -> get(store.claim(claim("k"))))
                    .as("%s of %s bytes", cut, length)
                    .isInstanceOf(UnreadableRecordException.class);
            redis.del(KEY);
            get(store.complete(acquired(store, claim("k", owner.owner())), result("done"), RETENTION));
        }
    }

    /** Whoever settles such a record keeps what is there, and its readers are refused. */
    @Test
    void everyByteOfASettledRecordCounts() {
        Ownership owner = acquired(store, claim("k"));
        get(store.complete(owner, result("done"), RETENTION));
        String sound = redis.get(KEY);
        for (int i = 0; i < sound.length(); i++) {
            int at = i;
            if (at != 1) { // whether anybody waits
                change(record -> new Packed(sound).with(at, (byte) (sound.charAt(at) ^ 1)));
                assertThatThrownBy(() -> get(store.claim(claim("k"))))
                        .as("byte %s", at)
                        .isInstanceOf(UnreadableRecordException.class);
                assertThatThrownBy(() -> get(store.find(id("k")))).isInstanceOf(UnreadableRecordException.class);
            }
        }
    }

    @Test
    void everyByteOfWhoAndWhatCounts() {
        Ownership owner = acquired(store, claim("k"));
        String sound = redis.get(KEY);
        for (int i = Packed.HEAD; i < sound.length(); i++) {
            int at = i;
            change(record -> new Packed(sound).with(at, (byte) (sound.charAt(at) ^ 1)));
            assertThatThrownBy(() -> get(store.claim(takingOver())))
                    .as("byte %s", at)
                    .isInstanceOf(UnreadableRecordException.class);
            assertThatThrownBy(() -> get(store.release(owner))).isInstanceOf(UnreadableRecordException.class);
        }
    }

    private static Stream<Arguments> forgedOutcomes() {
        byte[] huge = ByteBuffer.allocate(20).putInt(Integer.MAX_VALUE).array();
        return Stream.of(
                arguments('F', huge),
                arguments('F', ByteBuffer.allocate(10).putInt(2).array()),
                arguments('F', new byte[0]),
                arguments('C', new byte[0]),
                arguments('C', "x".getBytes(ISO_8859_1)),
                arguments('C', "o123".getBytes(ISO_8859_1)));
    }

    /** With a right checksum, as whoever can write to Redis can compute it. */
    @ParameterizedTest
    @MethodSource("forgedOutcomes")
    void outcomeWithForgedLengthsIsRefusedBeforeMemoryIsAllocated(char state, byte[] content) {
        Ownership owner = acquired(store, claim("k"));
        change(record -> record.forged(Packed.Number.STATE, state).withOutcome(content));
        assertRefusedByEveryVerb(owner, "");
    }

    /** Redis would have removed the key by itself; so the number was changed, and the record is not over. */
    @ParameterizedTest
    @EnumSource
    void expiryThatContradictsTheKeysTimeToLiveIsRefused(RecordState state) {
        Ownership owner = acquired(store, claim("k"));
        switch (state) {
            case IN_PROGRESS -> {}
            case IN_DOUBT -> get(store.doubt(owner, "lost", RETENTION));
            case COMPLETED -> get(store.complete(owner, result("done"), RETENTION));
            case FAILED -> get(store.fail(owner, new StoredFailure("T", null, null), RETENTION));
        }
        change(record -> record.forged(Packed.Number.EXPIRES_MS, 1000));
        assertRefusedByEveryVerb(owner, "time to live");
    }

    /** As after a fail-over to a replica that applied the release late, and counted the time to live from then on. */
    @Test
    void releasedKeyWhoseTimeToLiveEndsLaterThanItSaysIsFree() {
        get(store.release(acquired(store, claim("k"))));
        redis.pexpire(KEY, redis.pttl(KEY) + 5000);
        acquired(store, claim("k"));
    }

    /** The decision is kept together with its note, or not at all. */
    @Test
    void recordWhoseAuditTrailIsSomethingElseIsNotResolved() {
        Ownership owner = acquired(store, claim("k"));
        get(store.doubt(owner, "lost", RETENTION));
        redis.rpush(KEY + ":audit", "not", "a trail");
        byte[] before = dump();
        assertThatThrownBy(() -> get(store.resolve(
                        owner.id(), owner.fence(), new Resolution.Forget(), new AuditNote("anna", RETENTION))))
                .isInstanceOf(UnreadableRecordException.class)
                .hasMessageContaining("audit trail");
        assertThat(dump()).isEqualTo(before);
    }

    @Test
    void oneRecordThatCannotBeReadDoesNotEndTheRenewalOfOthers() {
        List<Renewal> renewals = Stream.of("first", "k", "last")
                .map(key -> new Renewal(acquired(store, claim(key)), RETENTION, RETENTION))
                .toList();
        change(record -> record.with(0, (byte) '3'));
        List<Settled> answers = store.renew(renewals);
        assertThat(List.of(answers.get(0), answers.get(2))).containsOnly(new Settled.Applied());
        assertThatThrownBy(() -> get(answers.get(1))).isInstanceOf(UnreadableRecordException.class);
    }

    @Test
    void whatStandsInPlaceOfTheIndexIsToldToWhoeverNeedsIt() {
        String index = "idempotency:{" + id("k").value().substring(0, 2) + "}open";
        redis.set(index, "not an index");
        try {
            assertThatThrownBy(() -> store.claim(claim("k"))).hasMessageContaining("WRONGTYPE");
        } finally {
            redis.del(index); // other tests list on this server
        }
    }

    private void assertRefusedByEveryVerb(Ownership owner, String said) {
        byte[] before = dump();
        List<Supplier<?>> verbs = List.of(
                () -> store.claim(claim("k")),
                () -> store.claim(claim("k", owner.owner())),
                () -> store.claim(takingOver()),
                () -> store.complete(owner, result("x"), RETENTION),
                () -> store.fail(owner, new StoredFailure("T", null, null), RETENTION),
                () -> store.release(owner),
                () -> store.doubt(owner, "lost", RETENTION),
                () -> store.renew(List.of(new Renewal(owner, Duration.ofSeconds(1), RETENTION)))
                        .get(0),
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
        redis.set(
                KEY,
                Packed.of(redis.get(KEY)).forged(Packed.Number.EXPIRES_MS, 1000).text());
        assertThat(get(store.find(id("k")))).isEmpty();
        assertThat(get(store.list(RecordState.COMPLETED, Duration.ZERO, 10))).isEmpty();
        assertThat(get(store.complete(owner, result("late"), RETENTION))).isInstanceOf(Settled.Stale.class);
    }

    @Test
    void claimInPlaceOfSuchARecordLeavesNothingOfIt() {
        get(store.complete(acquired(store, claim("k")), result("done"), RETENTION));
        redis.set(
                KEY,
                Packed.of(redis.get(KEY))
                        .forged(Packed.Number.EXPIRES_MS, 1000)
                        .forged(Packed.Number.ATTEMPT, 7)
                        .text());
        Ownership next = acquired(store, claim("k"));
        StoredRecord record = get(store.find(id("k"))).orElseThrow();
        assertThat(record.attempt()).isOne();
        assertThat(record.settledAt()).isNull();
        assertThat(record.result()).isNull();
        assertThat(redis.pttl(KEY)).isPositive();
        get(store.fail(next, new StoredFailure("T", null, null), RETENTION));
        assertThat(get(store.find(id("k"))).orElseThrow().result()).isNull();
    }
}
