package io.idempotency.redis;

import static io.idempotency.redis.Calls.RETENTION;
import static io.idempotency.redis.Calls.get;
import static io.idempotency.redis.Calls.id;
import static io.idempotency.redis.Calls.key;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.ClaimResult;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.RecordState;
import io.idempotency.runtime.store.Settled;
import io.idempotency.runtime.store.StoredFailure;
import io.idempotency.runtime.store.StoredRecord;
import io.idempotency.runtime.store.StoredResult;
import io.lettuce.core.ScriptOutputType;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Records of format 1, byte by byte, as another program packed them. Whoever breaks this test makes deployments forget
 * their keys: a new layout is a new format, and this one stays readable.
 */
class GoldenRecordsTest extends OnSharedRedis {

    private static final long FENCE = 1_790_000_000_000_123L;
    private static final Instant CLAIMED = Instant.ofEpochMilli(1_790_000_000_000L);
    private static final Instant SETTLED = Instant.ofEpochMilli(1_790_000_000_500L);
    private static final Instant LEASE_UNTIL = Instant.ofEpochMilli(4_102_444_800_000L);
    private static final Ownership OWNER = new Ownership(id("k"), "owner-1", FENCE);

    private static final String IN_PROGRESS =
            "312d50e96a5e890000000101a0c4506c0003bb2cc3d800ffffffffffff0000000000000026065bfeda25e07b076f776e6572"
                    + "2d31000c0006c3bc6265722d636861726765313a303066663933363962366636";
    private static final String RENEWED_LATE =
            "312d50e96a5e890000000101a0c4506c0003bb2cc3d800ffffffffffff0000000000000026065bfeda25e07b076f776e6572"
                    + "2d31000c0006c3bc6265722d636861726765313a3030666639333639623666363966356533636333697473206c6561736520"
                    + "776173206f766572206265666f7265206974207761732072656e65776564";
    private static final String LEASE_OVER =
            "312d500e4220f80000000101a0c4506c0001a0c4506c01ffffffffffff0000000000000026065bfeda25e07b076f776e6572"
                    + "2d31000c0006c3bc6265722d636861726765313a303066663933363962366636";
    private static final String IN_DOUBT =
            "312d44e1805db60000000201a0c4506c0003bb2cc3d800ffffffffffff01a0c4506df40026065bfeda25e07b076f776e6572"
                    + "2d31000c0006c3bc6265722d636861726765313a30306666393336396236663662303736343835345a656974c3bc62657273"
                    + "636872656974756e67";
    private static final String COMPLETED =
            "312d43e1805db20000000101a0c4506c0003bb2cc3d800ffffffffffff01a0c4506df40026065bfeda25e07b076f776e6572"
                    + "2d31000c0006c3bc6265722d636861726765313a3030666639333639623666363062366364363635727b2270616964223a74"
                    + "7275657d";
    private static final String OMITTED =
            "312d43e1805db20000000101a0c4506c0003bb2cc3d800ffffffffffff01a0c4506df40026065bfeda25e07b076f776e6572"
                    + "2d31000c0006c3bc6265722d636861726765313a30306666393336396236663631663833353036656fffffffffffffffff6e"
                    + "6f204a534f4e";
    private static final String FAILED =
            "312d46e1805db50000000101a0c4506c0003bb2cc3d800ffffffffffff01a0c4506df40026065bfeda25e07b076f776e6572"
                    + "2d31000c0006c3bc6265722d636861726765313a303066663933363962366636383436366564316600000011636f6d2e6163"
                    + "6d652e4465636c696e6564000000086e6f2066756e6473000000024537";
    private static final String FAILED_BARE =
            "312d46e1805db50000000101a0c4506c0003bb2cc3d800ffffffffffff01a0c4506df40026065bfeda25e07b076f776e6572"
                    + "2d31000c0006c3bc6265722d636861726765313a303066663933363962366636313664383432363400000011636f6d2e6163"
                    + "6d652e4465636c696e6564ffffffffffffffff";
    private static final String RELEASED =
            "312d419a64bca60000000101a0c4506c0003bb2cc3d80000000000000001a0c4506df400000e35fa931a0000";

    private void put(String hex) {
        redis.set(key("k"), Packed.of(HexFormat.of().parseHex(hex)).text());
    }

    private static Claim claim(String owner, boolean takeOver) {
        return new Claim(id("k"), "\u00fcber-charge", "1:00ff", owner, Duration.ofMinutes(1), RETENTION, takeOver);
    }

    private static Arguments golden(
            String hex,
            RecordState state,
            int attempt,
            @Nullable StoredResult result,
            @Nullable StoredFailure failure,
            @Nullable String doubt) {
        Instant leaseUntil = hex.equals(LEASE_OVER) ? CLAIMED.plusMillis(1) : LEASE_UNTIL;
        boolean settled = state != RecordState.IN_PROGRESS && !hex.equals(LEASE_OVER);
        return arguments(
                hex,
                new StoredRecord(
                        id("k"),
                        "\u00fcber-charge",
                        "1:00ff",
                        state,
                        "owner-1",
                        FENCE,
                        attempt,
                        CLAIMED,
                        leaseUntil,
                        settled ? SETTLED : null,
                        null,
                        Instant.EPOCH,
                        result,
                        failure,
                        doubt,
                        null));
    }

    private static Stream<Arguments> records() {
        byte[] paid = "{\"paid\":true}".getBytes(StandardCharsets.UTF_8);
        String late = IdempotencyStore.RENEWED_LATE;
        StoredFailure declined = new StoredFailure("com.acme.Declined", "no funds", "E7");
        StoredFailure bare = new StoredFailure("com.acme.Declined", null, null);
        return Stream.of(
                golden(IN_PROGRESS, RecordState.IN_PROGRESS, 1, null, null, null),
                golden(RENEWED_LATE, RecordState.IN_PROGRESS, 1, null, null, late),
                golden(LEASE_OVER, RecordState.IN_DOUBT, 1, null, null, IdempotencyStore.LEASE_OVER),
                golden(IN_DOUBT, RecordState.IN_DOUBT, 2, null, null, "Zeit\u00fcberschreitung"),
                golden(COMPLETED, RecordState.COMPLETED, 1, new StoredResult.Present(paid), null, null),
                golden(OMITTED, RecordState.COMPLETED, 1, new StoredResult.Omitted("no JSON", -1), null, null),
                golden(FAILED, RecordState.FAILED, 1, null, declined, null),
                golden(FAILED_BARE, RecordState.FAILED, 1, null, bare, null));
    }

    @ParameterizedTest
    @MethodSource("records")
    void recordIsRead(String hex, StoredRecord expected) {
        put(hex);
        assertThat(get(store.find(id("k"))))
                .hasValueSatisfying(record -> assertThat(record)
                        .usingRecursiveComparison()
                        .ignoringFields("readAt")
                        .isEqualTo(expected));
        assertThat(get(store.claim(claim("other", false)))).isInstanceOf(ClaimResult.Duplicate.class);
    }

    @ParameterizedTest
    @MethodSource("records")
    void ownerGoesOnWithWhatIsOpen(String hex, StoredRecord expected) {
        put(hex);
        boolean open = expected.result() == null && expected.failure() == null;
        assertThat(get(store.complete(OWNER, Calls.result("done"), RETENTION)))
                .isInstanceOf(open ? Settled.Applied.class : Settled.Stale.class);
        assertThat(redis.pttl(key("k")) > 0).isEqualTo(open);
    }

    @Test
    void whatIsInDoubtIsTakenOver() {
        put(IN_DOUBT);
        assertThat(get(store.claim(claim("other", true))))
                .isInstanceOfSatisfying(
                        ClaimResult.Acquired.class,
                        won -> assertThat(won.attempt()).isEqualTo(3));
    }

    @Test
    void fenceOfAReleasedRecordIsRemembered() {
        put(RELEASED);
        assertThat(get(store.find(id("k")))).isEmpty();
        assertThat(get(store.claim(claim("other", false))))
                .isEqualTo(new ClaimResult.Acquired(4_000_000_000_000_001L, 1));
    }

    /** What is written today differs in its times, fence and check only. */
    @Test
    void recordIsStillWrittenSo() {
        Ownership owner = new Ownership(
                id("k"), "owner-1", ((ClaimResult.Acquired) get(store.claim(claim("owner-1", false)))).fence());
        assertThat(behindTheHead(redis.get(key("k"))))
                .isEqualTo(behindTheHead(
                        Packed.of(HexFormat.of().parseHex(IN_PROGRESS)).text()));
        get(store.complete(owner, Calls.result("{\"paid\":true}"), IdempotencyStore.FOREVER));
        assertThat(behindTheHead(redis.get(key("k"))))
                .isEqualTo(behindTheHead(
                        Packed.of(HexFormat.of().parseHex(COMPLETED)).text()));
        assertThat(redis.get(key("k"))).startsWith("1-C");
    }

    /** The command of docs/redis.md. */
    @Test
    void documentedCommandShowsARecord() throws IOException {
        String guide = Files.readString(Path.of("../docs/redis.md"));
        String command = guide.substring(guide.indexOf("EVAL \"") + 6, guide.indexOf("\" 1 KEY"));
        put(FAILED);
        List<String> shown = redis.eval(command, ScriptOutputType.MULTI, key("k"));
        assertThat(shown)
                .contains("state F", "attempt 1", "fence " + FENCE, "claimed_ms 1790000000000", "owner owner-1")
                .contains("fingerprint 1:00ff", "expires_ms 281474976710655")
                .anyMatch(line -> line.startsWith("operation ") && line.endsWith("ber-charge"))
                .anyMatch(line -> line.startsWith("outcome ") && line.contains("com.acme.Declined"));
        put(RELEASED);
        List<String> absent = redis.eval(command, ScriptOutputType.MULTI, key("k"));
        assertThat(absent).contains("state A", "fence 4000000000000000");
    }

    private static String behindTheHead(@Nullable String packed) {
        return String.valueOf(packed).substring(Packed.HEAD);
    }
}
