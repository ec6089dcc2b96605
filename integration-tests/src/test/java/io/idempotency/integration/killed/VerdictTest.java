package io.idempotency.integration.killed;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.integration.killed.Told.What;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Every promise that is broken has a name; what is no breach has none. */
class VerdictTest {

    private static final String KEY = Kind.PAY.key(1);
    private static final String AGAIN = Kind.TAKE_OVER.key(1);

    private final Verdict verdict = new Verdict();

    @Test
    void oneEffectWhoseResultEverybodyIsToldIsInOrder() {
        told(KEY, "owner", What.RESULT, "run", 10);
        told(KEY, "duplicate", What.RESULT, "run", 11);
        told(KEY, "early", What.NOTHING_DONE, "OperationInProgressException", 9);
        verdict.ending();
        told(KEY, "last", What.RESULT, "run", 100);
        assertThat(verdict.on(List.of(new Effect("run", KEY, "owner", 1, 5)))).isEmpty();
    }

    /** It was told before it could be recorded, and the process died. */
    @Test
    void aResultThatOnlyItsOwnersCallerKnowsMayBeInDoubt() {
        told(KEY, "owner", What.RESULT, "run", 10);
        verdict.ending();
        told(KEY, "last", What.UNKNOWN, "OutcomeUnknownException", 100);
        assertThat(verdict.on(List.of(new Effect("run", KEY, "owner", 1, 5)))).isEmpty();
    }

    @Test
    void whoIsTakenOverMayRunAgainUnderAHigherFence() {
        told(AGAIN, "owner", What.RESULT, "run", 10);
        told(AGAIN, "other", What.RESULT, "next", 20);
        assertThat(verdict.on(
                        List.of(new Effect("run", AGAIN, "owner", 1, 5), new Effect("next", AGAIN, "other", 2, 15))))
                .isEmpty();
    }

    @Test
    void everyBreachIsNamed() {
        breach("a body that ran twice", new Effect("run", KEY, "a", 1, 5), new Effect("next", KEY, "b", 2, 6));
        breach("a fence that fell", new Effect("run", AGAIN, "a", 2, 5), new Effect("next", AGAIN, "b", 1, 6));
        breach("a fence that fell", new Effect("run", AGAIN, "a", 2, 5), new Effect("next", AGAIN, "b", 2, 6));
        told(KEY, "nothing", What.NOTHING_DONE, "IdempotencyStoreUnavailableException", 1);
        breach("a call that was told that it did nothing", new Effect("run", KEY, "nothing", 1, 5));
        told(KEY, "unknown", What.UNKNOWN, "OutcomeUnknownException", 4);
        breach("a body that ran after its outcome was said to be unknown", new Effect("run", KEY, "a", 1, 5));
        told(KEY, "owner", What.RESULT, "run", 10);
        breach("a result of a body that never ran");
        told(KEY, "other", What.RESULT, "next", 10);
        breach("two results of one key", new Effect("run", KEY, "a", 1, 5));
        breach("a body that ran after its key had a result", new Effect("run", KEY, "a", 1, 11));
        verdict.ending();
        told(KEY, "last", What.NOTHING_DONE, "OperationInProgressException", 100);
        breach("a result that is lost", new Effect("run", KEY, "a", 1, 5));
        breach("a key that nobody gets any more");
    }

    @Test
    void ofWhatIsTakenOverAReplayIsFinal() {
        told(AGAIN, "duplicate", What.RESULT, "run", 10);
        breach(
                "a body that ran after its key had a result",
                new Effect("run", AGAIN, "owner", 1, 5),
                new Effect("next", AGAIN, "other", 2, 11));
    }

    private void told(String key, String call, What what, String value, long atMs) {
        verdict.told(new Told(key, call, what, value, atMs));
    }

    private void breach(String name, Effect... effects) {
        assertThat(verdict.on(List.of(effects))).anyMatch(breach -> breach.startsWith(name));
    }
}
