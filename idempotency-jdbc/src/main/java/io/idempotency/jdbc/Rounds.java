package io.idempotency.jdbc;

import io.idempotency.jdbc.connection.JdbcStoreException;
import io.idempotency.runtime.store.RecordId;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Attempts that are repeated because another statement came in between. */
final class Rounds {

    private static final int MOST = 64;
    private static final int AT_ONCE = 4;
    private static final long LONGEST_PAUSE_NANOS = 5_000_000;

    private Rounds() {}

    /** Repeats an attempt until it answers. Pauses after the first rounds, so that other calls for the key finish. */
    static <T> T agreed(RecordId id, Supplier<@Nullable T> attempt) {
        for (int round = 0; round < MOST; round++) {
            T answer = attempt.get();
            if (answer != null) {
                return answer;
            }
            if (round >= AT_ONCE) {
                LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(LONGEST_PAUSE_NANOS));
            }
        }
        throw new JdbcStoreException("Record " + id + " changed " + MOST + " times while this call tried to change it."
                + " If this was a claim, the body did not run. Send the call again.");
    }
}
