package io.idempotency.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.ClaimResult;
import io.idempotency.runtime.store.StoredRecord;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A key used again for something else: told so, and nothing changes, in every state and whether or not to take over. */
abstract class ReuseContract extends StoreContract {

    ReuseContract(IdempotencyStoreTck kit) {
        super(kit);
    }

    @ParameterizedTest
    @EnumSource
    void otherArgumentsAreToldApart(Situation situation) {
        Claim first = Claims.fresh();
        situation.arrange(this, first);
        StoredRecord before = find(first.id());
        for (Claim other : with(Claims.fingerprint(first, "v1:6b86b273"))) {
            ClaimResult result = claim(other);
            assertThat(result).isInstanceOf(ClaimResult.OtherArguments.class);
            assertSame(((ClaimResult.OtherArguments) result).record(), before);
            assertUnchanged(before);
        }
    }

    @ParameterizedTest
    @EnumSource
    void otherOperationIsToldApart(Situation situation) {
        Claim first = Claims.fresh();
        situation.arrange(this, first);
        assertOtherOperation(Claims.operation(first, "refund-payment"));
    }

    @ParameterizedTest
    @EnumSource
    void otherOperationComesBeforeOtherArguments(Situation situation) {
        Claim first = Claims.fresh();
        situation.arrange(this, first);
        assertOtherOperation(Claims.fingerprint(Claims.operation(first, "refund-payment"), "v1:6b86b273"));
    }

    private void assertOtherOperation(Claim claim) {
        StoredRecord before = find(claim.id());
        for (Claim other : with(claim)) {
            ClaimResult result = claim(other);
            assertThat(result).isInstanceOf(ClaimResult.OtherOperation.class);
            assertSame(((ClaimResult.OtherOperation) result).record(), before);
            assertUnchanged(before);
        }
    }

    /** By the same owner token and by another one, with and without taking over. */
    private static List<Claim> with(Claim claim) {
        Claim other = Claims.duplicateOf(claim);
        return List.of(claim, other, Claims.takingOver(claim), Claims.takingOver(other));
    }
}
