package io.idempotency.test;

import java.util.Collections;
import org.assertj.core.api.AbstractAssert;

/** What AssertJ's {@code assertThat} gives for {@link OperationCalls}; assertions return this. */
public final class OperationCallsAssert extends AbstractAssert<OperationCallsAssert, OperationCalls> {

    OperationCallsAssert(OperationCalls actual) {
        super(actual, OperationCallsAssert.class);
    }

    /** The body ran exactly once. */
    public OperationCallsAssert ranOnce() {
        return ran(1);
    }

    /** The body never ran. */
    public OperationCallsAssert neverRan() {
        return ran(0);
    }

    /** The body ran exactly so many times. */
    public OperationCallsAssert ran(int times) {
        return expect(actual.ran() == times, times + " to have run");
    }

    /** Exactly so many calls got the recorded result. */
    public OperationCallsAssert replayed(int times) {
        return expect(actual.replayed() == times, times + " to have been replayed");
    }

    /**
     * Exactly so many calls were refused for one reason.
     *
     * @param code as {@link io.idempotency.IdempotencyException#code()}, for instance {@code in-progress}
     */
    public OperationCallsAssert refused(String code, int times) {
        return expect(
                Collections.frequency(actual.refusals(), code) == times,
                times + " to have been refused with '" + code + "'");
    }

    /** Exactly so many keys are in doubt: the outcome of their bodies is not known. */
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
