package io.idempotency.runtime.config;

import io.idempotency.runtime.call.NewKeyAdmission;
import io.idempotency.runtime.engine.ElapsedTime;
import io.idempotency.runtime.store.RecordId;
import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.context.exceptions.ConfigurationException;
import io.micronaut.core.bind.annotation.Bindable;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * How many new keys of an operation this node claims in a while, for all callers and for each of them, in front of whatever store.
 * What it keeps is bounded as well: of one operation no more callers than configured are counted each by themselves.
 * Thread-safe.
 */
@Singleton
final class NewKeyLimits {

    private static final Duration LONGEST = Duration.ofDays(1);

    private final ElapsedTime time;
    private final long window;
    private final int mostCallers;
    private final Map<String, OfOperation> operations = new ConcurrentHashMap<>();

    NewKeyLimits(ElapsedTime time, Configuration configuration) {
        this.time = time;
        this.window = window(configuration.getWindow());
        this.mostCallers = configuration.getMaxCallers();
        if (mostCallers < 1) {
            throw new ConfigurationException(
                    Configuration.PREFIX + ".max-callers: " + mostCallers + " is not positive");
        }
    }

    private static long window(Duration written) {
        if (written.toMillis() < 1 || written.compareTo(LONGEST) > 0) {
            throw new ConfigurationException(
                    Configuration.PREFIX + ".window: " + written + " is not between 1 ms and 1 day");
        }
        return written.toNanos();
    }

    /** Of one call. The caller is null where callers are not counted. */
    NewKeyAdmission of(String operation, KeyPolicy keys, @Nullable RecordId caller) {
        if (keys.maxNewKeys() == 0 && keys.maxNewKeysPerCaller() == 0) {
            return NewKeyAdmission.UNLIMITED;
        }
        OfOperation counted = operations.computeIfAbsent(operation, name -> new OfOperation(name, time.nanos()));
        return new OfCall(counted, keys, caller);
    }

    /** What is counted of one operation. */
    private final class OfOperation {

        private final String name;
        private final KeyBudget all;
        private final KeyBudget otherCallers;
        private final Map<RecordId, KeyBudget> callers = new ConcurrentHashMap<>();
        private long swept;

        OfOperation(String name, long now) {
            this.name = name;
            this.all = new KeyBudget(now);
            this.otherCallers = new KeyBudget(now);
            this.swept = now;
        }

        /** The budget of a caller; null for one that has used none of it. */
        @Nullable
        KeyBudget known(RecordId caller) {
            KeyBudget own = callers.get(caller);
            return own == null && callers.size() >= mostCallers ? otherCallers : own;
        }

        KeyBudget counted(RecordId caller, long now) {
            if (callers.size() >= mostCallers) {
                sweep(now);
            }
            KeyBudget known = known(caller);
            return known == null ? callers.computeIfAbsent(caller, first -> new KeyBudget(now)) : known;
        }

        /** Not with every call: it looks at all of them. */
        private synchronized void sweep(long now) {
            if (now - swept >= window / 10) {
                swept = now;
                callers.values().removeIf(budget -> budget.idleAt(now));
            }
        }
    }

    /** Both limits, for one call. */
    private final class OfCall implements NewKeyAdmission {

        private final OfOperation counted;
        private final KeyPolicy keys;
        private final @Nullable RecordId caller;

        OfCall(OfOperation counted, KeyPolicy keys, @Nullable RecordId caller) {
            this.counted = counted;
            this.keys = keys;
            this.caller = caller;
        }

        @Override
        public Optional<Closed> closed() {
            long now = time.nanos();
            Optional<Closed> ofAll = closed(counted.all, keys.maxNewKeys(), now, "max-new-keys");
            return ofAll.isPresent() || caller == null
                    ? ofAll
                    : closed(counted.known(caller), keys.maxNewKeysPerCaller(), now, "max-new-keys-per-caller");
        }

        private Optional<Closed> closed(@Nullable KeyBudget budget, int most, long now, String property) {
            long wait = budget == null || most == 0 ? 0 : budget.waitAt(now, window, most);
            if (wait <= 0) {
                return Optional.empty();
            }
            String limit = most + " new keys in " + Duration.ofNanos(window) + " on each node ("
                    + OperationAttributes.property(counted.name, property) + ")";
            return Optional.of(new Closed(limit, Duration.ofNanos(wait)));
        }

        @Override
        public void granted() {
            long now = time.nanos();
            if (keys.maxNewKeys() > 0) {
                counted.all.granted(now, window, keys.maxNewKeys());
            }
            if (caller != null) {
                counted.counted(caller, now).granted(now, window, keys.maxNewKeysPerCaller());
            }
        }
    }

    /**
     * Counts by one number: the time at which all that was granted will have been earned again. One grant costs a share of the
     * window, and as many as fit into the window may be granted at once. Grants are counted after they were made, so calls under way
     * together may go beyond the limit by their number.
     */
    private static final class KeyBudget {

        private final AtomicLong earnedAgain;

        KeyBudget(long now) {
            this.earnedAgain = new AtomicLong(now);
        }

        /** How long until the next grant is permitted, not positive when it is now; all times are nanoseconds. */
        long waitAt(long now, long window, int most) {
            return earnedAgain.get() - now - window + window / most;
        }

        void granted(long now, long window, int most) {
            earnedAgain.updateAndGet(then -> (then - now > 0 ? then : now) + window / most);
        }

        /** Then it is as good as new. */
        boolean idleAt(long now) {
            return earnedAgain.get() - now <= 0;
        }
    }

    /** {@code idempotency.limits.*}: how this node counts the new keys that {@code max-new-keys} and its like limit. */
    @ConfigurationProperties(Configuration.PREFIX)
    interface Configuration {

        /** Where the properties are. */
        String PREFIX = "idempotency.limits";

        /**
         * The time, 1 ms to 1 day, in which so many new keys are permitted. They are permitted at once as well; after that, one at
         * a time.
         */
        @Bindable(defaultValue = "1m")
        Duration getWindow();

        /**
         * How many callers of one operation are counted each by themselves. Those beyond share what one of them may have. Positive.
         */
        @Bindable(defaultValue = "10000")
        int getMaxCallers();
    }
}
