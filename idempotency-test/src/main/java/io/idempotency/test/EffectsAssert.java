package io.idempotency.test;

import org.assertj.core.api.AbstractAssert;

/** What AssertJ's {@code assertThat} gives for {@link Effects}; assertions return this. */
public final class EffectsAssert extends AbstractAssert<EffectsAssert, Effects> {

    EffectsAssert(Effects actual) {
        super(actual, EffectsAssert.class);
    }

    /** For this key it happened exactly once, whatever happened for others. */
    public EffectsAssert happenedOnceFor(Object key) {
        return expect(actual.of(key) == 1, "one effect for " + key);
    }

    /** For this key it never happened. */
    public EffectsAssert neverHappenedFor(Object key) {
        return expect(actual.of(key) == 0, "no effect for " + key);
    }

    /** It happened once in all. */
    public EffectsAssert happenedOnce() {
        return happened(1);
    }

    /** It never happened. */
    public EffectsAssert neverHappened() {
        return happened(0);
    }

    /** It happened exactly so many times, for whatever keys. */
    public EffectsAssert happened(int times) {
        return expect(actual.total() == times, times + " effects");
    }

    /** For no key it happened twice. */
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
