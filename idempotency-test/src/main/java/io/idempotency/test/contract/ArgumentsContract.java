package io.idempotency.test.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.RecordId;
import io.idempotency.runtime.store.RecordQuery;
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

/** A claim's arguments are kept until its outcome is recorded, and no longer. */
abstract class ArgumentsContract extends ContractPart {

    private static final StoredArguments ARGUMENTS =
            new StoredArguments("sealed: o-1, 12.50".getBytes(StandardCharsets.UTF_8));

    private @Nullable StoredArguments of(RecordId id) {
        return find(id).arguments();
    }

    @ParameterizedTest
    @EnumSource(names = {"IN_PROGRESS", "LEASE_OVER", "DOUBTED"})
    void argumentsAreKeptAndListedWhileTheRecordIsOpen(Situation open) {
        assertThat(of(arrange(open, fresh()).id())).isNull();
        Claim claim = withArguments(withOperation(fresh(), "listed-" + token()), ARGUMENTS);
        arrange(open, claim);
        StoredRecord found = find(claim.id());
        assertThat(found.arguments()).isEqualTo(ARGUMENTS);
        assertThat(duplicate(duplicateOf(claim)).arguments()).isEqualTo(ARGUMENTS);
        assertThat(store().list(new RecordQuery(found.state(), claim.operation(), Duration.ZERO, null, 10)))
                .singleElement()
                .satisfies(listed -> assertThat(listed.arguments()).isEqualTo(ARGUMENTS));
    }

    @Test
    void repeatingAndRenewingTheClaimKeepsThemBeforeAndAfterTheEndOfTheLease() {
        Claim claim = withArguments(withLease(fresh(), SHORT), ARGUMENTS);
        Ownership ownership = acquire(claim);
        assertThat(acquire(claim)).isEqualTo(ownership);
        assertThat(of(claim.id())).isEqualTo(ARGUMENTS);
        assertApplied(renew(ownership, SHORT));
        assertThat(of(claim.id())).isEqualTo(ARGUMENTS);
        shortPasses();
        assertApplied(renew(ownership, LONG));
        assertThat(find(claim.id()).doubt()).isNotNull();
        assertThat(of(claim.id())).isEqualTo(ARGUMENTS);
        assertThat(stale(release(ownership))).isNotNull();
        assertApplied(doubt(ownership));
        assertThat(find(claim.id()).doubt()).isEqualTo(REASON);
        assertThat(of(claim.id())).isEqualTo(ARGUMENTS);
    }

    @Test
    void everyOutcomeTakesTheirPlace() {
        List<Function<Ownership, Settled>> ends = List.of(
                this::complete,
                held -> apply(Verb.FAIL, held),
                held -> store().complete(held, new StoredResult.Omitted("too large", 7), RETENTION),
                held -> resolve(held, new Resolution.Complete(RESULT, RETENTION)),
                held -> resolve(held, new Resolution.Fail(FAILURE, RETENTION)));
        for (Function<Ownership, Settled> end : ends) {
            Ownership ownership = acquire(withArguments(fresh(), ARGUMENTS));
            assertApplied(end.apply(ownership));
            StoredRecord settled = find(ownership.id());
            assertThat(settled.settledAt()).isNotNull();
            assertThat(settled.doubt()).isNull();
            assertThat(settled.arguments()).isNull();
        }
    }

    private Settled resolve(Ownership held, Resolution resolution) {
        doubt(held);
        return store().resolve(held.id(), held.fence(), resolution, NOTE);
    }

    @Test
    void whatWasGivenBackIsForgotten() {
        Claim claim = withArguments(fresh(), ARGUMENTS);
        assertApplied(release(acquire(claim)));
        Ownership next = acquire(duplicateOf(claim));
        assertThat(of(claim.id())).isNull();
        assertApplied(resolve(next, new Resolution.Forget()));
        acquire(duplicateOf(claim));
        assertThat(of(claim.id())).isNull();
    }

    @Test
    void takingOverReplacesThem() {
        Claim claim = withArguments(fresh(), ARGUMENTS);
        doubt(acquire(claim));
        StoredArguments others = new StoredArguments(new byte[] {1, 2, 3});
        doubt(acquire(withArguments(takeOver(claim), others)));
        assertThat(of(claim.id())).isEqualTo(others);
        acquire(takeOver(claim));
        assertThat(of(claim.id())).isNull();
    }

    @Test
    void everyLengthAndEveryByteIsKept() {
        byte[] most = new byte[StoredArguments.MAX_BYTES];
        new Random(1).nextBytes(most);
        for (byte[] bytes : List.of(most, new byte[] {0}, new byte[0])) {
            StoredArguments arguments = new StoredArguments(bytes);
            Ownership ownership = arrange(Situation.DOUBTED, withArguments(fresh(), arguments));
            assertThat(of(ownership.id())).isEqualTo(arguments);
            assertApplied(complete(ownership));
            assertThat(find(ownership.id()).result()).isEqualTo(RESULT);
        }
    }
}
