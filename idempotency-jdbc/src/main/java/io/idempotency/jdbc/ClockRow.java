package io.idempotency.jdbc;

import io.idempotency.jdbc.Sql.Param;
import io.idempotency.runtime.store.RecordId;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What the database says of time: its clock, and the row in which the time and the timeline are kept that claims were taken on.
 *
 * @param database where statements run
 * @param sql the statements in the database's dialect
 * @param clock whether the database's clock is believed
 */
record ClockRow(StatementRunner database, Statements sql, ClockWatch clock) {

    private static final RecordId CLOCK = RecordId.of("idempotency-clock", null, null, "");

    /** The database's clock. */
    Instant now() {
        return Instant.ofEpochMilli(
                Long.parseLong(database.text(sql.now(), new StatementValues()).orElseThrow()));
    }

    /** Keeps the time in a row of its own, so that a clock that was set back is noticed when the application starts. */
    void keepTime() {
        StatementValues values = StatementValues.of(CLOCK).with(Param.LATEST_MS, (Object) clock.latestMs());
        if (database.update(sql.keepTime(), values) == 0 && keptTime().isEmpty()) {
            database.claimed(sql.firstTime(), values); // null where another node was first
        }
    }

    Optional<Instant> keptTime() {
        return database.text(sql.keptTime(), StatementValues.of(CLOCK))
                .map(millis -> Instant.ofEpochMilli(Long.parseLong(millis)));
    }

    /** The history that the primary writes; empty on a standby, and where the database does not say. */
    OptionalLong timeline() {
        Sql timeline = sql.timeline();
        try {
            return timeline == null
                    ? OptionalLong.empty()
                    : database.text(timeline, new StatementValues())
                            .map(number -> OptionalLong.of(Long.parseLong(number)))
                            .orElse(OptionalLong.empty());
        } catch (JdbcStoreException e) {
            if (e.getCause() instanceof SQLException cause && Dialect.unsupported(cause)) {
                return OptionalLong.empty();
            }
            throw e;
        }
    }

    /** The timeline that claims are taken on; 0 for none. It is the fence of the clock's row. */
    long acceptedTimeline() {
        return database.text(sql.acceptedTimeline(), StatementValues.of(CLOCK))
                .map(Long::parseLong)
                .orElse(0L);
    }

    void acceptTimeline(long timeline) {
        database.update(sql.acceptTimeline(), StatementValues.of(CLOCK).with(Param.FENCE, (Object) timeline));
    }
}
