package io.idempotency.integration.killed;

/** The kinds of payments; a key begins with its own. */
enum Kind {
    /** At most once, and some bodies fail. */
    PAY,
    /** Exactly once: record and effect are one transaction. */
    BOOK,
    /** Bodies that fail before they do anything are run again. */
    RETRY,
    /** Run again under a higher fence when its owner vanished. */
    TAKE_OVER;

    private static final String SEPARATOR = "-";

    String key(long number) {
        return name() + SEPARATOR + number;
    }

    static Kind of(String key) {
        return valueOf(key.substring(0, key.indexOf(SEPARATOR)));
    }
}
