package io.idempotency.runtime.reconcile;

/** Is notified of abandoned runs that were looked for in the background. Thread-safe. */
@FunctionalInterface
public interface ReconcileListener {

    /** How a look at a run ended. */
    enum Answer {
        /** The effect happened, and its result is recorded. */
        DONE,
        /** The effect did not happen, and the key is free. */
        ABSENT,
        /** The reconciler does not know yet. */
        UNKNOWN,
        /** Another owner was faster, or the store did not answer. */
        PASSED_OVER
    }

    /** Reports the answer for one run. */
    void onReconciled(String operation, Answer answer);
}
