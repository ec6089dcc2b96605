package io.idempotency.runtime.purge;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntToLongFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A run keeps to its budget of each second, in virtual time. */
class PurgePaceTest {

    private static final long MILLI = 1_000_000;

    private long now;
    private final List<long[]> batches = new ArrayList<>(); // from, until, records
    private int left;

    private void purge(int expired, Duration budget, IntToLongFunction nanosOfABatch) {
        left = expired;
        PurgeJob.PurgePace pace = new PurgeJob.PurgePace(budget, 1000);
        while (left > 0) {
            int removed = Math.min(pace.size(), left);
            left -= removed;
            long from = now;
            now += nanosOfABatch.applyAsLong(removed);
            batches.add(new long[] {from, now, removed});
            now += pace.pauseAfter(Duration.ofNanos(now - from)).toNanos();
        }
    }

    /** Within each second that begins with a batch, but for one batch that may begin just before it is over. */
    private void assertBudget(Duration budget, long longestBatch) {
        for (long[] first : batches) {
            long end = first[0] + 1000 * MILLI;
            long busy = batches.stream()
                    .filter(batch -> batch[0] >= first[0] && batch[0] < end)
                    .mapToLong(batch -> Math.min(batch[1], end) - batch[0])
                    .sum();
            assertThat(busy).isLessThanOrEqualTo(budget.toNanos() + longestBatch);
        }
        long busy = batches.stream().mapToLong(batch -> batch[1] - batch[0]).sum();
        assertThat((double) busy / now).isLessThan(budget.toNanos() / 1e9 * 1.1);
    }

    @ParameterizedTest
    @ValueSource(ints = {10, 100, 500})
    void noSecondTakesMoreThanItsBudget(int millis) {
        Duration budget = Duration.ofMillis(millis);
        purge(100_000, budget, records -> MILLI + records * MILLI / 100); // 11 ms for a thousand
        assertBudget(budget, 11 * MILLI);
    }

    /** A database that is busy takes ten times as long, and gets smaller batches, rather than longer ones. */
    @Test
    void batchesShrinkWhereTheyTakeLongAndGrowAgain() {
        Duration budget = Duration.ofMillis(100);
        purge(200_000, budget, records -> MILLI + records * MILLI / (left > 60_000 && left < 140_000 ? 10 : 100));
        assertBudget(budget, 101 * MILLI);
        assertThat(sizes(0, 60_000)).contains(1000L);
        assertThat(sizes(80_000, 130_000)).allMatch(size -> size <= 250);
        assertThat(sizes(150_000, 190_000)).contains(1000L);
    }

    /** On a busy disk a commit takes as long for ten records as for a hundred. */
    @Test
    void batchesStayWorthACommitThatTakesLong() {
        purge(100_000, Duration.ofMillis(100), records -> 60 * MILLI + records * MILLI / 100);
        assertThat(sizes(0, 99_000)).allMatch(size -> size >= 100);
        assertBudget(Duration.ofMillis(100), 61 * MILLI);
    }

    private List<Long> sizes(int fromRemoved, int untilRemoved) {
        List<Long> sizes = new ArrayList<>();
        long removed = 0;
        for (long[] batch : batches) {
            if (removed >= fromRemoved && removed < untilRemoved) {
                sizes.add(batch[2]);
            }
            removed += batch[2];
        }
        return sizes;
    }

    @Test
    void aWholeSecondIsWithoutPauses() {
        purge(10_000, Duration.ofSeconds(1), records -> 5 * MILLI);
        assertThat(now).isEqualTo(batches.size() * 5 * MILLI);
    }
}
