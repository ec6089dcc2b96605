package io.idempotency.runtime.reconcile;

/** Is told what became of abandoned runs that were looked for in the background. Thread-safe. */
@FunctionalInterface
public interface ReconcileListener {

    /** What a reconciler knew. */
    enum Answer {
        /** The effect happened, and its result is recorded. */
        DONE,
        /** It did not happen, and the key is free. */
        ABSENT,
        /** It is not known yet. */
        UNKNOWN,
        /** Another owner was faster, or the store could not be asked. */
        PASSED_OVER
    }

    /** One run was looked at. */
    void onReconciled(String operation, Answer answer);
}
