package io.idempotency.benchmarks.peers;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.DefaultTransactionDefinition;

/**
 * adzubla on PostgreSQL: the reservation opens the transaction in which the body runs, and completing commits it. Four statements and
 * a commit for a first call, three and a commit for a replay, counting the limit for waiting and not what begins the transaction.
 */
final class AdzublaJdbcStore implements AdzublaStore {

    private static final String RESERVE = """
            INSERT INTO peer_adzubla (http_method, path, principal, idempotency_key, fingerprint, reservation_token,
              created_at, expires_at)
            VALUES (?, ?, ?, ?, ?, ?, clock_timestamp(), clock_timestamp() + ?::interval)
            ON CONFLICT (http_method, path, principal, idempotency_key) DO UPDATE SET fingerprint = EXCLUDED.fingerprint,
              reservation_token = EXCLUDED.reservation_token, response_status = NULL, response_headers = NULL,
              response_body = NULL, created_at = EXCLUDED.created_at, expires_at = EXCLUDED.expires_at
            WHERE peer_adzubla.expires_at < clock_timestamp()
            RETURNING http_method""";
    private static final String FIND = """
            SELECT fingerprint, response_status, response_headers, response_body FROM peer_adzubla
            WHERE http_method = ? AND path = ? AND principal = ? AND idempotency_key = ? AND expires_at > clock_timestamp()""";
    private static final String COMPLETE = """
            UPDATE peer_adzubla SET response_status = ?, response_headers = ?::jsonb, response_body = ?,
              expires_at = clock_timestamp() + ?::interval
            WHERE http_method = ? AND path = ? AND principal = ? AND idempotency_key = ? AND reservation_token = ?""";

    private final JdbcTemplate jdbc;
    private final PlatformTransactionManager transactions;
    private final ThreadLocal<TransactionStatus> open = new ThreadLocal<>();

    AdzublaJdbcStore(JdbcTemplate jdbc, PlatformTransactionManager transactions) {
        this.jdbc = jdbc;
        this.transactions = transactions;
        jdbc.execute("CREATE TABLE peer_adzubla (http_method VARCHAR(10) NOT NULL, path VARCHAR(512) NOT NULL,"
                + " principal VARCHAR(255) NOT NULL, idempotency_key VARCHAR(255) NOT NULL,"
                + " fingerprint VARCHAR(64) NOT NULL, reservation_token VARCHAR(36) NOT NULL,"
                + " response_status SMALLINT, response_headers JSONB, response_body BYTEA,"
                + " created_at TIMESTAMPTZ NOT NULL, expires_at TIMESTAMPTZ NOT NULL,"
                + " PRIMARY KEY (http_method, path, principal, idempotency_key))");
        jdbc.execute("CREATE INDEX peer_adzubla_expiry ON peer_adzubla (expires_at)");
    }

    @Override
    public Reservation reserve(Key key, String fingerprint) {
        TransactionStatus transaction = transactions.getTransaction(new DefaultTransactionDefinition());
        try {
            jdbc.execute("SET LOCAL lock_timeout = '5000ms'");
            String token = UUID.randomUUID().toString();
            List<String> reserved = jdbc.query(
                    RESERVE,
                    (row, number) -> row.getString(1),
                    key.method(),
                    key.path(),
                    key.principal(),
                    key.value(),
                    fingerprint,
                    token,
                    "30000 milliseconds");
            if (!reserved.isEmpty()) {
                open.set(transaction);
                return new Reservation(token, null, null);
            }
            Reservation found = jdbc.query(
                            FIND, AdzublaJdbcStore::found, key.method(), key.path(), key.principal(), key.value())
                    .get(0);
            transactions.commit(transaction);
            return found;
        } catch (RuntimeException e) {
            transactions.rollback(transaction);
            throw e;
        }
    }

    private static Reservation found(ResultSet row, int number) throws SQLException {
        String fingerprint = row.getString("fingerprint");
        int status = row.getInt("response_status");
        return new Reservation(
                null,
                fingerprint,
                row.wasNull()
                        ? null
                        : new Answer(
                                status,
                                Headers.read(row.getString("response_headers")),
                                row.getBytes("response_body")));
    }

    @Override
    public void complete(Key key, String token, Answer answer) {
        TransactionStatus transaction = Objects.requireNonNull(open.get());
        open.remove();
        try {
            jdbc.update(
                    COMPLETE,
                    answer.status(),
                    Headers.write(answer.headers()),
                    answer.body(),
                    "86400000 milliseconds",
                    key.method(),
                    key.path(),
                    key.principal(),
                    key.value(),
                    token);
        } catch (RuntimeException e) {
            transactions.rollback(transaction);
            throw e;
        }
        transactions.commit(transaction);
    }
}
