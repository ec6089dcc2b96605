package io.idempotency.jdbc;

import io.idempotency.jdbc.connection.JdbcStoreException;
import io.idempotency.jdbc.connection.StatementRunner;
import io.idempotency.jdbc.sql.Dialect.Trouble;
import io.idempotency.jdbc.sql.Sql.Param;
import io.idempotency.jdbc.sql.StatementValues;
import io.idempotency.jdbc.sql.Statements.Verb;
import io.idempotency.runtime.store.RecordId;
import java.time.Instant;
import java.util.Optional;

/**
 * What the database says of time: its clock, and the row in which the time and the timeline are kept that claims were taken on.
 *
 * @param database where statements run
 * @param clock whether the database's clock is believed
 */
record ClockRow(StatementRunner database, ClockWatch clock) {

    private static final RecordId ID = RecordId.of("idempotency-clock", null, null, "");

    /** The database's clock. */
    Instant now() {
        return Instant.ofEpochMilli(number(Verb.CLOCK).orElseThrow());
    }

    /** Keeps the time in a row of its own, so that a clock that was set back is noticed when the application starts. */
    void keepTime() {
        StatementValues values = StatementValues.of(ID).with(Param.LATEST_MS, (Object) clock.latestMs());
        if (database.update(Verb.KEEP_TIME, values) == 0 && keptTime().isEmpty()) {
            database.inserted(Verb.FIRST_TIME, values); // unless another node was first
        }
    }

    Optional<Instant> keptTime() {
        return number(Verb.KEPT_TIME).map(Instant::ofEpochMilli);
    }

    /** The history that the primary writes; empty on a standby, and where the database does not say. */
    Optional<Long> timeline() {
        try {
            return database.statements().has(Verb.TIMELINE) ? number(Verb.TIMELINE) : Optional.empty();
        } catch (JdbcStoreException e) {
            if (e.is(Trouble.UNSUPPORTED, database.statements().dialect())) {
                return Optional.empty();
            }
            throw e;
        }
    }

    /** The timeline that claims are taken on; 0 for none. It is the fence of the clock's row. */
    long acceptedTimeline() {
        return number(Verb.ACCEPTED_TIMELINE).orElse(0L);
    }

    void acceptTimeline(long timeline) {
        database.update(Verb.ACCEPT_TIMELINE, StatementValues.of(ID).with(Param.FENCE, (Object) timeline));
    }

    private Optional<Long> number(Verb question) {
        return database.text(question, StatementValues.of(ID)).map(Long::parseLong);
    }
}
