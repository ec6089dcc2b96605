package io.idempotency.jdbc.sql;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/** The statements of the store. The name of its text in the dialects' tables is that of the verb in lower case. */
public enum Verb {
    CLAIM,
    RECLAIM,
    MARK,
    FIND,
    SEEN,
    COMPLETE,
    FAIL,
    RELEASE,
    DOUBT,
    RENEW,
    REMOVE,
    LIST_IN_PROGRESS,
    LIST_IN_DOUBT,
    LIST_SETTLED,
    RESOLVE_COMPLETE,
    RESOLVE_FAIL,
    FORGET,
    ERASE,
    AUDIT,
    PURGE,
    APPROXIMATE_SIZE,
    NEWEST_FORMAT,
    UNIQUE_ID,
    DURABILITY,
    CLOCK,
    FIRST_TIME,
    KEEP_TIME,
    KEPT_TIME,
    TIMELINE,
    ACCEPTED_TIMELINE,
    ACCEPT_TIMELINE;

    private static final Set<Verb> SETTLING = EnumSet.of(COMPLETE, FAIL, RELEASE, DOUBT);

    /** Whether waiting callers are told. */
    boolean settles() {
        return SETTLING.contains(this);
    }

    /** Whether it is also sent for many callers at once. */
    boolean isForMany() {
        return settles() || this == CLAIM || this == FIND;
    }

    String key() {
        return name().toLowerCase(Locale.ROOT);
    }
}
