package io.idempotency.runtime.config;

import io.idempotency.runtime.Within;
import io.idempotency.runtime.call.NewKeyAdmission;
import io.idempotency.runtime.engine.ElapsedTime;
import io.idempotency.runtime.store.RecordId;
import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Limits how many new keys of an operation this node claims in a window, for all callers and for each caller, in any
 * store. Its memory is bounded: callers of an operation beyond the configured number are counted together. Thread-safe.
 */
@Singleton
final class NewKeyLimits {

    private final ElapsedTime time;
    private final long window;
    private final int mostCallers;
    private final Map<String, OfOperation> operations = new ConcurrentHashMap<>();

    NewKeyLimits(ElapsedTime time, Configuration configuration) {
        this.time = time;
        this.window = configuration.getWindow().toNanos();
        this.mostCallers = configuration.getMaxCallers();
    }

    /** Returns the limits of one call; the caller is null where callers are not counted. */
    NewKeyAdmission of(String operation, KeyPolicy keys, @Nullable RecordId caller) {
        return keys.maxNewKeys() == 0 && keys.maxNewKeysPerCaller() == 0
                ? NewKeyAdmission.UNLIMITED
                : new OfCall(operations.computeIfAbsent(operation, name -> new OfOperation()), operation, keys, caller);
    }

    private final class OfOperation {
        private final KeyBudget all = new KeyBudget();
        private final KeyBudget otherCallers = new KeyBudget();
        private final Map<RecordId, KeyBudget> callers = new ConcurrentHashMap<>();
        private long swept = time.nanos();

        /** Returns the budget of a caller; null if the caller has used none of it. */
        @Nullable
        KeyBudget known(RecordId caller) {
            KeyBudget own = callers.get(caller);
            return own == null && callers.size() >= mostCallers ? otherCallers : own;
        }

        KeyBudget counted(RecordId caller) {
            if (callers.size() >= mostCallers) {
                sweep();
            }
            KeyBudget known = known(caller);
            return known == null ? callers.computeIfAbsent(caller, first -> new KeyBudget()) : known;
        }

        /** Removes unused budgets, at most ten times in a window, because this looks at all of them. */
        private synchronized void sweep() {
            if (time.nanos() - swept >= window / 10) {
                swept = time.nanos();
                callers.values().removeIf(KeyBudget::isUnused);
            }
        }
    }

    private record OfCall(
            OfOperation counted,
            String operation,
            KeyPolicy keys,
            @Nullable RecordId caller) implements NewKeyAdmission {

        @Override
        public Optional<Closed> closed() {
            Optional<Closed> ofAll = closed(counted.all, keys.maxNewKeys(), "max-new-keys");
            return ofAll.isPresent() || caller == null
                    ? ofAll
                    : closed(counted.known(caller), keys.maxNewKeysPerCaller(), "max-new-keys-per-caller");
        }

        private Optional<Closed> closed(@Nullable KeyBudget budget, int most, String property) {
            return budget == null || most == 0 ? Optional.empty() : budget.closed(most, operation, property);
        }

        @Override
        public void granted() {
            if (keys.maxNewKeys() > 0) {
                counted.all.granted(keys.maxNewKeys());
            }
            if (caller != null) {
                counted.counted(caller).granted(keys.maxNewKeysPerCaller());
            }
        }
    }

    /**
     * Counts by a single number: the time at which everything granted will have been earned again. One grant costs a
     * share of the window, and as many as fit into the window may be granted at once. Grants are counted after the
     * claim, so concurrent calls may exceed the limit by their number.
     */
    private final class KeyBudget {
        private final AtomicLong earnedAgain = new AtomicLong(time.nanos());

        Optional<NewKeyAdmission.Closed> closed(int most, String operation, String property) {
            long wait = earnedAgain.get() - time.nanos() - window + window / most;
            if (wait <= 0) {
                return Optional.empty();
            }
            String limit = most + " new keys in " + Duration.ofNanos(window) + " on each node ("
                    + OperationAttributes.property(operation, property) + ")";
            return Optional.of(new NewKeyAdmission.Closed(limit, Duration.ofNanos(wait)));
        }

        void granted(int most) {
            long now = time.nanos();
            earnedAgain.updateAndGet(then -> (then - now > 0 ? then : now) + Math.max(1, window / most));
        }

        /** Tells whether the budget is the same as a new one. */
        boolean isUnused() {
            return earnedAgain.get() - time.nanos() <= 0;
        }
    }

    /** {@code idempotency.limits.*}: how this node counts the new keys that {@code max-new-keys} and its like limit. */
    @ConfigurationProperties("idempotency.limits")
    interface Configuration {

        /**
         * The time, 1 ms to 1 day, in which so many new keys are permitted. They are permitted at once as well; after that, one at
         * a time.
         */
        @Within(min = "1ms", max = "1d")
        @Bindable(defaultValue = "1m")
        Duration getWindow();

        /**
         * How many callers of one operation are counted each by themselves. Those beyond share what one of them may have. Positive.
         */
        @Within(min = "1")
        @Bindable(defaultValue = "10000")
        int getMaxCallers();
    }
}
