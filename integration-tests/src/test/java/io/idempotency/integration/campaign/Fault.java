package io.idempotency.integration.campaign;

/** What happens to nodes and stores while callers call. */
enum Fault {
    /** SIGKILL. */
    NODE_KILLED,
    /** SIGSTOP for longer than a lease. */
    NODE_STOPPED,
    STORE_KILLED,
    STORE_STOPPED,
    STORE_RESTARTED,
    CONNECTIONS_RESET,
    /** The store did what it was asked to, and the connection is reset instead of a reply. */
    REPLIES_RESET,
    /** The store did what it was asked to, and the connection stays open without a reply. */
    REPLIES_LOST,
    /** No byte moves in either direction, connections stay open. */
    STALLED,
    /** The server ends all sessions, again and again. */
    SESSIONS_ENDED,
    /** The server refuses to write. */
    READ_ONLY,
    /** A replica takes over. */
    FAIL_OVER
}
