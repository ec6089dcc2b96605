package io.idempotency.jdbc;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/** Opens connections on which a database says what happened, unasked. */
interface NotificationSource {

    /**
     * Opens one.
     *
     * @return what hears everything that is said from now on
     * @throws SQLException or any runtime exception when that is not possible now
     */
    Hearing open() throws SQLException;

    /** A connection that hears. */
    interface Hearing extends AutoCloseable {

        /** What was said, as soon as there is something; empty after that long without. */
        List<String> next(Duration atMost) throws SQLException;

        /** Fails when the other side is gone without a word. */
        void check() throws SQLException;

        /** Also ends a {@link #next} that another thread waits in. */
        @Override
        void close();
    }
}
