package io.idempotency.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.RecordId;
import io.idempotency.runtime.store.RecordQuery;
import io.idempotency.runtime.store.RecordState;
import io.idempotency.runtime.store.Resolution;
import io.idempotency.runtime.store.Settled;
import io.idempotency.runtime.store.StoredArguments;
import io.idempotency.runtime.store.StoredRecord;
import io.idempotency.runtime.store.StoredResult;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The arguments of a claim are kept for as long as somebody may have to find out what became of it, and no longer. */
abstract class ArgumentsContract extends StoreContract {

    private static final StoredArguments ARGUMENTS = arguments("sealed: o-1, 12.50");

    ArgumentsContract(IdempotencyStoreTck kit) {
        super(kit);
    }

    private static StoredArguments arguments(String text) {
        return new StoredArguments(text.getBytes(StandardCharsets.UTF_8));
    }

    private @Nullable StoredArguments of(RecordId id) {
        return find(id).arguments();
    }

    @Test
    void claimWithoutArgumentsKeepsNone() {
        assertThat(of(Situation.IN_PROGRESS.arrange(this, Claims.fresh()).id())).isNull();
        assertThat(of(Situation.DOUBTED.arrange(this, Claims.fresh()).id())).isNull();
    }

    @Test
    void argumentsAreKeptWhileTheRecordIsOpen() {
        for (Situation open : List.of(Situation.IN_PROGRESS, Situation.LEASE_OVER, Situation.DOUBTED)) {
            Claim claim = Claims.arguments(Claims.fresh(), ARGUMENTS);
            open.arrange(this, claim);
            assertThat(of(claim.id())).as(open.name()).isEqualTo(ARGUMENTS);
            assertThat(duplicate(Claims.duplicateOf(claim)).arguments()).isEqualTo(ARGUMENTS);
        }
    }

    @Test
    void renewingKeepsThemBeforeAndAfterTheEndOfTheLease() {
        Claim claim = Claims.arguments(Claims.lease(Claims.fresh(), SHORT), ARGUMENTS);
        Ownership ownership = acquire(claim);
        assertApplied(renew(ownership, SHORT));
        assertThat(of(claim.id())).isEqualTo(ARGUMENTS);
        shortPasses();
        assertApplied(renew(ownership, LONG));
        assertThat(find(claim.id()).doubt()).isNotNull();
        assertThat(of(claim.id())).isEqualTo(ARGUMENTS);
        assertThat(stale(release(ownership))).isNotNull();
        assertApplied(doubt(ownership));
        assertThat(find(claim.id()).doubt()).isEqualTo("the connection broke");
        assertThat(of(claim.id())).isEqualTo(ARGUMENTS);
    }

    @Test
    void everyOutcomeTakesTheirPlace() {
        Resolution completed = new Resolution.Complete(RESULT, RETENTION);
        Resolution failed = new Resolution.Fail(FAILURE, RETENTION);
        List<Function<Ownership, Settled>> ends = List.of(
                this::complete,
                this::fail,
                held -> store().complete(held, new StoredResult.Omitted("too large", 7), RETENTION),
                held -> {
                    doubt(held);
                    return store().resolve(held.id(), held.fence(), completed, NOTE);
                },
                held -> {
                    doubt(held);
                    return store().resolve(held.id(), held.fence(), failed, NOTE);
                });
        for (Function<Ownership, Settled> end : ends) {
            Claim claim = Claims.arguments(Claims.fresh(), ARGUMENTS);
            assertApplied(end.apply(acquire(claim)));
            StoredRecord settled = find(claim.id());
            assertThat(settled.state()).isIn(RecordState.COMPLETED, RecordState.FAILED);
            assertThat(settled.arguments()).isNull();
        }
    }

    @Test
    void whatWasGivenBackIsForgotten() {
        Claim claim = Claims.arguments(Claims.fresh(), ARGUMENTS);
        assertApplied(release(acquire(claim)));
        Claim next = Claims.duplicateOf(claim);
        doubt(acquire(next));
        assertThat(of(claim.id())).isNull();
        Ownership ownership =
                new Ownership(claim.id(), next.owner(), find(claim.id()).fence());
        assertApplied(store().resolve(claim.id(), ownership.fence(), new Resolution.Forget(), NOTE));
        acquire(Claims.duplicateOf(claim));
        assertThat(of(claim.id())).isNull();
    }

    @Test
    void takingOverReplacesThem() {
        Claim claim = Claims.arguments(Claims.fresh(), ARGUMENTS);
        doubt(acquire(claim));
        StoredArguments others = arguments("others");
        Ownership second = acquire(Claims.arguments(Claims.takingOver(Claims.duplicateOf(claim)), others));
        assertThat(of(claim.id())).isEqualTo(others);
        doubt(second);
        acquire(Claims.takingOver(Claims.duplicateOf(claim)));
        assertThat(of(claim.id())).isNull();
    }

    @Test
    void claimThatIsRepeatedIsStillOne() {
        Claim claim = Claims.arguments(Claims.fresh(), ARGUMENTS);
        assertThat(acquired(claim)).isEqualTo(acquired(claim));
        assertThat(of(claim.id())).isEqualTo(ARGUMENTS);
    }

    @ParameterizedTest
    @EnumSource(names = {"IN_PROGRESS", "LEASE_OVER", "DOUBTED"})
    void listShowsThem(Situation open) {
        Claim claim = Claims.arguments(
                Claims.operation(Claims.fresh(), "listed-" + Claims.fresh().owner()), ARGUMENTS);
        open.arrange(this, claim);
        RecordState state = find(claim.id()).state();
        assertThat(store().list(new RecordQuery(state, claim.operation(), Duration.ZERO, null, 10)))
                .singleElement()
                .satisfies(found -> assertThat(found.arguments()).isEqualTo(ARGUMENTS));
    }

    @Test
    void everyLengthAndEveryByteIsKept() {
        byte[] most = new byte[StoredArguments.MAX_BYTES];
        new Random(1).nextBytes(most);
        for (StoredArguments arguments : List.of(
                new StoredArguments(most), new StoredArguments(new byte[] {0}), new StoredArguments(new byte[0]))) {
            Claim claim = Claims.arguments(Claims.fresh(), arguments);
            Ownership ownership = acquire(claim);
            assertApplied(doubt(ownership));
            assertThat(of(claim.id())).isEqualTo(arguments);
            assertApplied(complete(ownership));
            assertThat(find(claim.id()).result()).isEqualTo(RESULT);
        }
    }
}
