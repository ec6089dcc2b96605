package io.idempotency.jdbc;

import io.idempotency.runtime.store.UnreadableRecordException;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The form of a statement in which it is sent for many callers.
 *
 * @param sql the statement, whose answers begin with the record's id
 * @param reading reads one caller's answer
 * @param claim whether it claims
 * @param <T> the answer to one caller
 */
record SharedStatement<T>(Sql sql, Reading<T> reading, boolean claim) {

    /** The answer to one caller, in the current row; null for a row that is as good as none. */
    interface Reading<T> {
        @Nullable
        T of(ResultSet row) throws SQLException;
    }

    /** Null for a statement that is not sent for many. */
    static <T> @Nullable SharedStatement<T> of(Sql one, Reading<T> reading, boolean claim) {
        Sql many = one.together();
        return many == null ? null : new SharedStatement<>(many, reading, claim);
    }

    /** Executes it; answers by the record's id, empty for a row that cannot be read. */
    Map<String, Optional<T>> answers(PreparedStatement statement) throws SQLException {
        Map<String, Optional<T>> answers = new HashMap<>();
        try (ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                answer(rows, answers);
            }
        }
        return answers;
    }

    /** Empty for a row that cannot be read: that is the trouble of one caller. */
    private void answer(ResultSet row, Map<String, Optional<T>> answers) throws SQLException {
        String id = row.getString(1);
        try {
            T answer = reading.of(row);
            if (answer != null) {
                answers.put(id, Optional.of(answer));
            }
        } catch (UnreadableRecordException | IllegalArgumentException e) {
            answers.put(id, Optional.empty());
        }
    }
}
