package io.idempotency.test;

import java.util.Collections;
import org.assertj.core.api.AbstractAssert;

/** AssertJ's assertions on {@link OperationCalls}. */
public final class OperationCallsAssert extends AbstractAssert<OperationCallsAssert, OperationCalls> {

    OperationCallsAssert(OperationCalls actual) {
        super(actual, OperationCallsAssert.class);
    }

    /** Verifies that the body ran exactly once. */
    public OperationCallsAssert ranOnce() {
        return ran(1);
    }

    /** Verifies that the body never ran. */
    public OperationCallsAssert neverRan() {
        return ran(0);
    }

    /** Verifies how often the body ran. */
    public OperationCallsAssert ran(int times) {
        return expect(actual.ran() == times, times + " to have run");
    }

    /** Verifies how many calls got the recorded result. */
    public OperationCallsAssert replayed(int times) {
        return expect(actual.replayed() == times, times + " to have been replayed");
    }

    /** Verifies how many calls were refused with a code such as {@code in-progress}. */
    public OperationCallsAssert refused(String code, int times) {
        return expect(
                Collections.frequency(actual.refusals(), code) == times,
                times + " to have been refused with '" + code + "'");
    }

    /** Verifies how many keys are in doubt, as far as calls were told: see {@link OperationCalls#inDoubt()}. */
    public OperationCallsAssert inDoubt(int keys) {
        return expect(actual.inDoubt() == keys, keys + " keys to be in doubt");
    }

    private OperationCallsAssert expect(boolean met, String what) {
        isNotNull();
        if (!met) {
            failWithMessage("Expected of the calls %s, but it was %s", what, actual);
        }
        return this;
    }
}
