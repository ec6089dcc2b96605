package io.idempotency.integration.waiting;

import java.util.Map;

/** Where the nodes keep their records, and what the server says of it. */
interface Backend extends AutoCloseable {

    /** What a node is configured with. */
    Map<String, String> properties();

    /** Begins to count. */
    void reset();

    /** How many store commands the server has executed since. */
    long commands();

    /** The commands since, for people. */
    String counted();

    /** How many records are marked because a caller of another node waits for them. */
    long waitedFor();

    /** Breaks the connection on which a node hears; the server keeps it from coming back where it can. */
    void cutChannel();

    @Override
    void close();
}
