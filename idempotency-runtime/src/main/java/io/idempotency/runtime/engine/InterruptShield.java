package io.idempotency.runtime.engine;

import java.util.function.Supplier;

/** Asks a store from a thread of the application: one that was interrupted must still be able to, and some drivers close then. */
final class InterruptShield {

    private InterruptShield() {}

    /** Clears the thread's interruption during the call, and restores it afterwards. */
    static <T> T call(Supplier<T> question) {
        boolean interrupted = Thread.interrupted();
        try {
            return question.get();
        } finally {
            restore(interrupted);
        }
    }

    /** Interrupts the thread again if it was before. */
    static void restore(boolean interrupted) {
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
