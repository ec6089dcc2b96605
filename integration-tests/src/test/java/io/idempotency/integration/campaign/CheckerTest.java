package io.idempotency.integration.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.integration.campaign.Event.Answer;
import io.idempotency.integration.campaign.Event.Effect;
import io.idempotency.integration.campaign.Event.Told;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every promise that is broken has a name; what breaks no promise has none. */
class CheckerTest {

    private static final String KEY = Kind.JOB.key(1);
    private static final String TAKEN = Kind.TAKE_OVER.key(1);

    private final History history = new History();

    @Test
    void oneEffectWithOneResultKeepsEveryPromise() {
        told(KEY, "early", Answer.DID_NOT_RUN, "in-progress", 9);
        effect("run", "owner", KEY, 1, 5);
        told(KEY, "owner", Answer.RESULT, "run", 10);
        told(KEY, "duplicate", Answer.RESULT, "run", 11);
        history.heal();
        told(KEY, "last", Answer.RESULT, "run", 100);
        kept();
    }

    /** The owner's caller heard of it before it was recorded, and the process died. */
    @Test
    void aResultThatOnlyItsOwnerWasToldMayBeInDoubt() {
        effect("run", "owner", KEY, 1, 5);
        told(KEY, "owner", Answer.RESULT, "run", 10);
        history.heal();
        told(KEY, "last", Answer.UNKNOWN, "outcome-unknown", 100);
        kept();
    }

    @Test
    void aKeyThatIsTakenOverMayRunAgainUnderAHigherFence() {
        effect("run", "owner", TAKEN, 1, 5);
        told(TAKEN, "owner", Answer.RESULT, "run", 10);
        effect("next", "other", TAKEN, 2, 15);
        told(TAKEN, "other", Answer.RESULT, "next", 20);
        kept();
    }

    @Test
    void aSecondEffectIsNamed() {
        effect("run", "a", KEY, 1, 5);
        effect("next", "b", KEY, 2, 6);
        broken(Checker.TWO_EFFECTS);
    }

    @Test
    void aFenceThatFallsOrRepeatsIsNamed() {
        effect("run", "a", TAKEN, 2, 5);
        effect("next", "b", TAKEN, 2, 6);
        broken(Checker.FENCE);
    }

    @Test
    void aResultOfNoEffectIsNamed() {
        told(KEY, "owner", Answer.RESULT, "run", 10);
        broken(Checker.NO_EFFECT);
    }

    @Test
    void twoResultsAreNamed() {
        effect("run", "a", KEY, 1, 5);
        effect("next", "b", KEY, 2, 6);
        told(KEY, "a", Answer.RESULT, "run", 10);
        told(KEY, "b", Answer.RESULT, "next", 10);
        broken(Checker.TWO_RESULTS);
    }

    @Test
    void aSuccessForAnotherPayloadIsNamed() {
        effect("run", "a", KEY, 1, 5);
        history.add(new Told("b", KEY, "other", Answer.RESULT, "run", 1, 10));
        broken(Checker.PAYLOAD);
    }

    @Test
    void aCallThatRanAlthoughItWasToldOtherwiseIsNamed() {
        effect("run", "a", KEY, 1, 5);
        told(KEY, "a", Answer.DID_NOT_RUN, "store-unavailable", 6);
        broken(Checker.RAN);
    }

    @Test
    void anEffectAfterAnUnknownOutcomeIsNamed() {
        told(KEY, "a", Answer.UNKNOWN, "outcome-unknown", 4);
        effect("run", "b", KEY, 1, 5);
        broken(Checker.AFTER_UNKNOWN);
    }

    @Test
    void anEffectAfterAReplayIsNamed() {
        effect("run", "a", TAKEN, 1, 5);
        told(TAKEN, "duplicate", Answer.RESULT, "run", 10);
        effect("next", "b", TAKEN, 2, 11);
        broken(Checker.AFTER_RESULT);
    }

    @Test
    void aReplayedResultThatIsLostAndAKeyThatStaysBusyAreNamed() {
        effect("run", "a", KEY, 1, 5);
        told(KEY, "duplicate", Answer.RESULT, "run", 10);
        history.heal();
        told(KEY, "last", Answer.DID_NOT_RUN, "in-progress", 100);
        broken(Checker.LOST_RESULT);
        broken(Checker.STUCK);
    }

    @Test
    void aLongWaitIsNamed() {
        history.add(new Told("a", KEY, "p", Answer.LOST, "", 60_001, 100));
        broken(Checker.WAITED);
    }

    @Test
    void aHistoryIsWrittenAndRead(@TempDir Path directory) throws Exception {
        effect("run", "a", KEY, 1, 5);
        told(KEY, "a", Answer.RESULT, "run", 10);
        Path file = directory.resolve("history.tsv");
        history.write(file);
        assertThat(Files.readAllLines(file).stream().map(Event::of)).isEqualTo(history.events());
    }

    private void effect(String run, String call, String key, long fence, long atMs) {
        history.add(new Effect(run, call, key, "p", fence, atMs));
    }

    private void told(String key, String call, Answer answer, String value, long atMs) {
        history.add(new Told(call, key, "p", answer, value, 1, atMs));
    }

    private void kept() {
        assertThat(new Checker(Duration.ofMinutes(1)).violations(history)).isEmpty();
    }

    private void broken(String promise) {
        assertThat(new Checker(Duration.ofMinutes(1)).violations(history))
                .anyMatch(violation -> violation.startsWith(promise));
    }
}
