package io.idempotency.test;

import org.assertj.core.api.AbstractAssert;

/** AssertJ's assertions on {@link Effects}. */
public final class EffectsAssert extends AbstractAssert<EffectsAssert, Effects> {

    EffectsAssert(Effects actual) {
        super(actual, EffectsAssert.class);
    }

    /** Verifies exactly one effect for this key, whatever happened for others. */
    public EffectsAssert happenedOnceFor(Object key) {
        return expect(actual.of(key) == 1, "one effect for " + key);
    }

    /** Verifies that there was no effect for this key. */
    public EffectsAssert neverHappenedFor(Object key) {
        return expect(actual.of(key) == 0, "no effect for " + key);
    }

    /** Verifies exactly one effect in all. */
    public EffectsAssert happenedOnce() {
        return happened(1);
    }

    /** Verifies that there was no effect. */
    public EffectsAssert neverHappened() {
        return happened(0);
    }

    /** Verifies the number of effects for all keys together. */
    public EffectsAssert happened(int times) {
        return expect(actual.total() == times, times + " effects");
    }

    /** Verifies at most one effect for each key. */
    public EffectsAssert neverHappenedTwice() {
        return expect(actual.total() == actual.keys().size(), "at most one effect for each key");
    }

    private EffectsAssert expect(boolean met, String what) {
        isNotNull();
        if (!met) {
            failWithMessage("Expected %s, but %s", what, actual);
        }
        return this;
    }
}
