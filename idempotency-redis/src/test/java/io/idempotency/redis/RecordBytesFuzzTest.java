package io.idempotency.redis;

import static io.idempotency.redis.Calls.RETENTION;
import static io.idempotency.redis.Calls.acquired;
import static io.idempotency.redis.Calls.claim;
import static io.idempotency.redis.Calls.id;
import static io.idempotency.redis.Calls.key;
import static io.idempotency.redis.Calls.result;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.runtime.store.AuditNote;
import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.ClaimResult;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.RecordState;
import io.idempotency.runtime.store.Renewal;
import io.idempotency.runtime.store.Resolution;
import io.idempotency.runtime.store.StoredArguments;
import io.idempotency.runtime.store.StoredFailure;
import io.idempotency.runtime.store.StoredRecord;
import io.idempotency.runtime.store.UnreadableRecordException;
import io.idempotency.test.fuzz.Fuzz;
import io.idempotency.test.fuzz.Input;
import io.lettuce.core.SetArgs;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Any bytes in the place of a record's are read as they were, or refused as a record that cannot be read. */
@Tag("thorough")
class RecordBytesFuzzTest extends OnSharedRedis {

    private static final String KEY = key("k");
    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final AuditNote NOTE = new AuditNote("anna: looked it up", RETENTION);

    private static Claim claimed(Input input) {
        Claim claim = claim("k", input.text(20).replaceAll("[\ud800-\udfff]", "x"));
        return new Claim(
                claim.id(),
                claim.operation(),
                claim.fingerprint(),
                claim.owner(),
                LEASE,
                RETENTION,
                false,
                input.oneIn(2) ? null : new StoredArguments(input.bytes(40)));
    }

    private void settle(Input input, Ownership own) {
        switch (input.below(4)) {
            case 0 -> store.complete(own, result("done"), RETENTION);
            case 1 -> store.fail(own, new StoredFailure("Declined", "no funds", null), RETENTION);
            case 2 -> store.doubt(own, "lost", RETENTION);
            default -> {} // stays in progress
        }
    }

    @Test
    void damagedBytesAreReadAsTheyWereOrRefused() {
        Fuzz.inputs(150, input -> {
            redis.flushall();
            Ownership own = acquired(store, claimed(input));
            settle(input, own);
            StoredRecord before = store.find(own.id()).orElseThrow();
            put(Packed.of(input.changed(packed().bytes())));
            for (int i = 0; i < 2; i++) {
                readOrRefused(() -> {
                    ClaimResult again = store.claim(claim("k"));
                    assertThat(again).isInstanceOf(ClaimResult.Duplicate.class);
                    assertSame(before, Optional.of(((ClaimResult.Duplicate) again).record()));
                });
                readOrRefused(() -> assertSame(before, store.find(own.id())));
                store.list(before.state(), Duration.ZERO, 10);
                store.purge(10);
            }
            readOrRefused(() -> input.one(verbs()).accept(own));
        });
    }

    /** Whoever can write to Redis can compute a checksum, and the next reader must not fail for it. */
    @Test
    void forgedBytesAreNeverAbsentAndNeverAnotherFailure() {
        Fuzz.inputs(150, input -> {
            redis.flushall();
            Ownership own = acquired(store, claimed(input));
            settle(input, own);
            Packed packed = packed();
            if (input.oneIn(2)) {
                Packed.Number number = input.one(Packed.Number.values());
                packed = packed.forged(
                        number, number == Packed.Number.STATE ? input.one('C', 'D', 'F', 'P', 'x') : input.number());
            }
            int end = Packed.HEAD + (int) packed.get(Packed.Number.SIZE);
            if (packed.text().length() >= end) {
                String outcome =
                        packed.text().substring(Math.min(end + 8, packed.text().length()));
                packed = packed.withOutcome(
                        input.changed(Packed.of(outcome + " ").bytes()));
            }
            put(packed);
            readOrRefused(() -> assertThat(store.claim(claim("k"))).isNotInstanceOf(ClaimResult.Acquired.class));
            readOrRefused(() -> store.find(own.id()));
            store.list(input.one(RecordState.values()), Duration.ZERO, 10);
            readOrRefused(() -> input.one(verbs()).accept(own));
        });
    }

    private Packed packed() {
        return Packed.of(redis.get(KEY));
    }

    private void put(Packed packed) {
        redis.set(KEY, packed.text(), SetArgs.Builder.keepttl());
    }

    private List<Consumer<Ownership>> verbs() {
        return List.of(
                own -> store.complete(own, result("x"), RETENTION),
                own -> store.fail(own, new StoredFailure("T", null, null), RETENTION),
                own -> store.doubt(own, "lost", RETENTION),
                own -> store.release(own),
                own -> store.renew(List.of(new Renewal(own, LEASE, RETENTION))),
                own -> store.resolve(own.id(), own.fence(), new Resolution.Complete(result("x"), RETENTION), NOTE),
                own -> store.resolve(own.id(), own.fence(), new Resolution.Forget(), NOTE),
                own -> store.erase(own.id(), NOTE),
                own -> store.claim(takingOver()));
    }

    private static Claim takingOver() {
        Claim claim = claim("k");
        return new Claim(id("k"), claim.operation(), claim.fingerprint(), claim.owner(), LEASE, RETENTION, true);
    }

    /** Arguments tell by themselves whether they were changed: they are sealed. */
    private static void assertSame(StoredRecord before, Optional<StoredRecord> found) {
        assertThat(found.orElseThrow())
                .usingRecursiveComparison()
                .ignoringFields("readAt", "arguments")
                .isEqualTo(before);
    }

    private static void readOrRefused(Runnable verb) {
        try {
            verb.run();
        } catch (UnreadableRecordException refused) {
            assertThat(refused.problem()).isNotEmpty();
        }
    }

    /** What an application writes reaches the scripts as bytes, and nothing of it is taken for a number, a name or Lua. */
    @Test
    void whateverIsWrittenComesBack() {
        Fuzz.inputs(100, input -> {
            redis.flushall();
            Claim usual = claim("k", text(input, 64));
            Claim claim = new Claim(
                    usual.id(),
                    text(input, 250),
                    text(input, 100),
                    usual.owner(),
                    Duration.ofMillis(30_000 + Math.abs(input.number() / 2)),
                    Duration.ofMillis(60_000 + Math.abs(input.number() / 2)),
                    false,
                    input.oneIn(2) ? null : new StoredArguments(input.bytes(200)));
            Ownership own = acquired(store, claim);
            StoredRecord open = store.find(own.id()).orElseThrow();
            assertThat(open.operation()).isEqualTo(claim.operation());
            assertThat(open.fingerprint()).isEqualTo(claim.fingerprint());
            assertThat(open.owner()).isEqualTo(claim.owner());
            assertThat(open.fence()).isEqualTo(own.fence());
            assertThat(open.arguments()).isEqualTo(claim.arguments());
            StoredFailure failure = new StoredFailure(
                    text(input, 250),
                    input.oneIn(3) ? null : text(input, 300),
                    input.oneIn(3) ? null : text(input, 100));
            String reason = text(input, 300);
            if (input.oneIn(2)) {
                store.doubt(own, reason, RETENTION);
                assertThat(store.find(own.id()).orElseThrow().doubt()).isEqualTo(reason);
            }
            store.fail(own, failure, RETENTION);
            assertThat(store.find(own.id()).orElseThrow().failure()).isEqualTo(failure);
            assertThat(store.claim(new Claim(
                            claim.id(),
                            claim.operation(),
                            claim.fingerprint(),
                            "another",
                            LEASE,
                            RETENTION,
                            input.oneIn(2))))
                    .isInstanceOf(ClaimResult.Duplicate.class);
        });
    }

    /** Half a surrogate pair is no text to UTF-8. */
    private static String text(Input input, int most) {
        String text = new String(input.text(most).getBytes(UTF_8), UTF_8);
        return text.isEmpty() ? "x" : text;
    }
}
