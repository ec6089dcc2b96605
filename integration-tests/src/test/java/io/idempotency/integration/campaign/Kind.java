package io.idempotency.integration.campaign;

/** The kinds of operations under test. A key begins with the name of its kind. */
enum Kind {
    /** Over HTTP with the client's key, at most once. */
    PAY,
    /** A bean method whose duplicates wait, at most once. */
    JOB,
    /** A bean method whose failures release the key, at most one effect. */
    RETRY,
    /** At most once: after a vanished owner the ledger is asked. */
    RECONCILE,
    /** Runs again under a higher fence after its owner vanished. */
    TAKE_OVER,
    /** Record and effect share one transaction. */
    BOOK;

    private static final String SEPARATOR = "-";

    String key(long number) {
        return name() + SEPARATOR + number;
    }

    static Kind of(String key) {
        return valueOf(key.substring(0, key.indexOf(SEPARATOR)));
    }

    /** Whether an answer <em>outcome unknown</em> is the last word while no operator settles the record. */
    boolean unknownIsFinal() {
        return this == PAY || this == JOB || this == RETRY;
    }
}
