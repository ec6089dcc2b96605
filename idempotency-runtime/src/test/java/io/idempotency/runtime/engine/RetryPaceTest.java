package io.idempotency.runtime.engine;

import static io.idempotency.runtime.engine.Engine.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.spi.ILoggingEvent;
import io.idempotency.IdempotencyStoreUnavailableException;
import io.idempotency.OutcomeUnknownException;
import io.idempotency.runtime.engine.IdempotencyEngine.Backlog;
import io.idempotency.runtime.store.RecordState;
import io.idempotency.runtime.store.UnreadableRecordException;
import io.idempotency.test.FaultyStore.Call;
import io.idempotency.test.logs.LogLines;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** When a store that failed is told again, and for how long that goes on. */
class RetryPaceTest {

    private static final Backlog NOTHING = new Backlog(0, 0);

    private final Engine engine = new Engine();
    private final List<Long> attempts = new ArrayList<>();

    /** Not at the beginning of time, so that moments and durations differ. */
    @BeforeEach
    void someHoursLater() {
        engine.time.pass(Duration.ofHours(13));
        engine.store.before(Call.COMPLETE, () -> attempts.add(engine.time.nanos()));
        engine.store.refuse(Call.COMPLETE);
    }

    private CompletableFuture<?> completes(String key) {
        return engine.callAsync(key, context -> CompletableFuture.completedFuture("first"))
                .toCompletableFuture();
    }

    private List<Double> pauses() {
        List<Double> pauses = new ArrayList<>();
        for (int i = 1; i < attempts.size(); i++) {
            pauses.add((attempts.get(i) - attempts.get(i - 1)) / 1e6);
        }
        return pauses;
    }

    private RecordState state(String key) {
        return engine.record(key).orElseThrow().state();
    }

    @Test
    void aStoreThatStaysAwayIsAskedEverMoreRarelyAndInTheEndEveryHalfMinute() {
        completes("k");
        engine.time.pass(Duration.ofMinutes(2));
        assertThat(pauses())
                .startsWith(50.0, 37.5, 75.0, 150.0, 300.0, 600.0, 1200.0, 2400.0, 4800.0, 9600.0, 19200.0, 22500.0)
                .endsWith(22500.0, 22500.0);
    }

    @Test
    void nodesDoNotAskInStep() {
        engine.jitter = () -> 0;
        completes("k");
        engine.time.pass(Duration.ofMillis(300));
        assertThat(pauses()).startsWith(50.0, 25.0, 50.0, 100.0);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 10})
    void callersThatFailTogetherDoNotMakeTheRestLonger(int callers) {
        for (int i = 0; i < callers; i++) {
            completes("k" + i);
        }
        attempts.clear();
        engine.time.pass(Duration.ofMillis(500));
        assertThat(pauses()).startsWith(37.5, 75.0, 150.0);
    }

    @Test
    void whileTheApplicationShutsDownThePausesStayShort() {
        CompletableFuture<Object> body = new CompletableFuture<>();
        engine.callAsync("k", context -> body);
        engine.shutDown(Duration.ofHours(1));
        body.complete("first");
        engine.time.pass(Duration.ofSeconds(10));
        assertThat(pauses()).startsWith(50.0, 37.5, 75.0).endsWith(75.0, 75.0);
    }

    @Test
    void aRecordThatCannotBeUnderstoodIsNotToldAgain() {
        completes("k");
        assertThat(engine.executor.backlog(engine.store)).isEqualTo(new Backlog(1, "first".length()));
        engine.store.before(Call.COMPLETE, () -> {
            attempts.add(engine.time.nanos());
            throw new UnreadableRecordException(Engine.id("k"), "written by a newer version");
        });
        engine.time.pass(Duration.ofMillis(50));
        assertThat(engine.executor.backlog(engine.store)).isEqualTo(NOTHING);
        engine.time.pass(Engine.LEASE);
        assertThat(attempts).hasSize(2);
        refusal(engine.call("k", context -> "second"), OutcomeUnknownException.class);
        assertThat(engine.bodies).hasValue(1);
    }

    @Test
    void afterADayItIsGivenUpAndNotBefore() {
        completes("k");
        engine.time.pass(Duration.ofHours(24));
        assertThat(engine.executor.backlog(engine.store).calls()).isOne();
        assertThat(LogLines.during(Unrecorded.class, () -> engine.time.pass(Duration.ofMinutes(1))))
                .last()
                .satisfies(line -> assertThat(line.getFormattedMessage()).contains("it is not tried again"));
        assertThat(engine.executor.backlog(engine.store)).isEqualTo(NOTHING);
        engine.store.mend();
        assertThat(state("k")).as("its lease is not kept any more").isEqualTo(RecordState.IN_DOUBT);
        engine.nothingIsLeft();
        refusal(engine.call("k", context -> "second"), OutcomeUnknownException.class);
    }

    @Test
    void theFirstFailureIsShownWithItsPlaceAndTheOthersInAWord() {
        List<ILoggingEvent> lines = LogLines.during(Unrecorded.class, () -> {
            completes("k");
            engine.time.pass(Duration.ofMillis(200));
        });
        String word = IllegalStateException.class.getName();
        assertThat(lines).hasSizeGreaterThan(2);
        assertThat(lines.get(0).getThrowableProxy()).isNotNull();
        assertThat(lines.get(0).getFormattedMessage()).doesNotContain(word);
        assertThat(lines.subList(1, lines.size())).allSatisfy(line -> {
            assertThat(line.getThrowableProxy()).isNull();
            assertThat(line.getFormattedMessage()).contains(word);
        });
    }

    @Test
    void ofWhatNothingDependsOnOnlyTheFirstFailureIsSaid() {
        engine.store.refuse(Call.values());
        assertThat(LogLines.during(Unrecorded.class, () -> {
                    refusal(engine.call("k", context -> "never"), IdempotencyStoreUnavailableException.class);
                    engine.time.pass(Duration.ofSeconds(10));
                }))
                .hasSize(1);
    }
}
