package io.idempotency.jdbc;

import io.idempotency.jdbc.sql.Dialect;
import io.idempotency.jdbc.sql.Sql;
import io.idempotency.jdbc.sql.StatementValues;
import io.idempotency.jdbc.sql.Statements.Verb;
import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.StoredResult;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;

/**
 * A node that still runs version 1 of the library: the statements that it sends, to the letter, on a connection that it
 * opened before anybody else began to upgrade.
 */
final class VersionOne implements AutoCloseable {

    /** What a claim was answered: the row's owner, state and format. */
    record Answer(String owner, String state, int format, long fence) {}

    private final Place place;
    private final Properties statements;
    private final Connection connection;

    VersionOne(Place place, Dialect dialect) throws SQLException {
        this.place = place;
        this.statements = read(dialect.name().toLowerCase(Locale.ROOT));
        this.connection = DriverManager.getConnection(place.url(), place.user(), place.password());
    }

    private static Properties read(String database) {
        try (InputStream in = VersionOne.class.getResourceAsStream("/version-1/" + database + ".properties")) {
            Properties read = new Properties();
            read.load(Objects.requireNonNull(in));
            return read;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Answer claim(Claim claim) throws SQLException {
        StatementValues values = StatementValues.of(claim);
        Optional<Answer> answer = Optional.empty();
        try {
            answer = ask("claim", values);
        } catch (SQLException e) {
            if (!Dialect.H2.is(Dialect.Trouble.DUPLICATE_KEY, e)) {
                throw e;
            }
        }
        boolean expired = answer.isPresent() && ask("find", values).isEmpty();
        if (answer.isPresent() && !expired) {
            return answer.get();
        }
        if (statements.containsKey("reclaim")) {
            try (PreparedStatement reclaim = prepare("reclaim", values)) {
                reclaim.executeUpdate();
            }
        }
        return ask("find", values).orElseThrow();
    }

    int complete(Claim claim, long fence, StoredResult result, Duration retention) throws SQLException {
        StatementValues values = StatementValues.of(new Ownership(claim.id(), claim.owner(), fence))
                .settling(result, null, retention);
        try (PreparedStatement statement = prepare("complete", values)) {
            return statement.executeUpdate();
        }
    }

    private Optional<Answer> ask(String name, StatementValues values) throws SQLException {
        try (PreparedStatement statement = prepare(name, values);
                ResultSet row = statement.executeQuery()) {
            return row.next()
                    ? Optional.of(new Answer(row.getString(5), row.getString(4), row.getInt(20), row.getLong(6)))
                    : Optional.empty();
        }
    }

    private PreparedStatement prepare(String name, StatementValues values) throws SQLException {
        Sql sql = Sql.parse(statements.getProperty(name).replace("idempotency_record", place.table()), Verb.FIND, null);
        PreparedStatement statement = connection.prepareStatement(sql.text());
        sql.bind(statement, values);
        return statement;
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
