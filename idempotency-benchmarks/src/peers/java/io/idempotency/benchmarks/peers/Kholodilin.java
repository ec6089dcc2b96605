package io.idempotency.benchmarks.peers;

import io.idempotency.benchmarks.Charges.Charge;
import io.idempotency.benchmarks.Charges.Receipt;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Clock;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.HexFormat;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * KHolodilin/spring-boot-idempotency-starter 0.3: a service that its caller calls within a transaction, in which the record is
 * committed with the body's own rows. The request becomes a tree of JSON, sorted, for the fingerprint; the result becomes JSON and
 * comes back from it. It inserts first, unless {@code lookup-before-acquire} is set: both are sides here, and the better one counts.
 * Faster than the original: Jackson sorts and writes the tree, a template opens the transaction and no proxy, meters are left
 * out. Its caches in front of the database stand beside the near cache, and not here.
 */
final class Kholodilin {

    private static final String OPERATION = "CHARGE";
    private static final String FIND =
            "SELECT operation, idempotency_key, request_hash, status, result_type, result_payload,"
                    + " error_code, created_at, completed_at, expires_at FROM peer_kholodilin"
                    + " WHERE operation = ? AND idempotency_key = ?";
    private static final String ACQUIRE =
            "INSERT INTO peer_kholodilin (operation, idempotency_key, request_hash, status,"
                    + " created_at, expires_at) VALUES (?, ?, ?, 'PROCESSING', ?, ?)"
                    + " ON CONFLICT (operation, idempotency_key) DO NOTHING";
    private static final String COMPLETE = "UPDATE peer_kholodilin SET status = 'COMPLETED', result_type = ?,"
            + " result_payload = ?::jsonb, completed_at = ?"
            + " WHERE operation = ? AND idempotency_key = ? AND status = 'PROCESSING'";
    private static final JsonMapper MAPPER = JsonMapper.builder().build();
    private static final JsonMapper CANONICAL =
            JsonMapper.builder().enable(JsonNodeFeature.WRITE_PROPERTIES_SORTED).build();

    /** What it reads of a row. */
    private record Row(
            String operation,
            String key,
            String status,
            String hash,
            @Nullable String type,
            @Nullable String payload,
            @Nullable String error,
            @Nullable Instant created,
            @Nullable Instant completed,
            @Nullable Instant expires) {}

    private final JdbcClient jdbc;
    private final TransactionTemplate transactions;
    private final Function<Charge, Receipt> body;
    private final Clock clock = Clock.systemUTC();

    Kholodilin(DataSource pool, PlatformTransactionManager transactions, Function<Charge, Receipt> body) {
        this.jdbc = JdbcClient.create(pool);
        this.transactions = new TransactionTemplate(transactions);
        this.body = body;
        jdbc.sql(
                        "CREATE TABLE peer_kholodilin (operation VARCHAR(128) NOT NULL, idempotency_key VARCHAR(255) NOT NULL,"
                                + " request_hash VARCHAR(128) NOT NULL, status VARCHAR(32) NOT NULL, result_type VARCHAR(255),"
                                + " result_payload JSONB, error_code VARCHAR(128), created_at TIMESTAMPTZ NOT NULL,"
                                + " completed_at TIMESTAMPTZ, expires_at TIMESTAMPTZ, PRIMARY KEY (operation, idempotency_key))")
                .update();
        jdbc.sql("CREATE INDEX peer_kholodilin_expiry ON peer_kholodilin (expires_at)")
                .update();
    }

    Receipt insertFirst(Charge charge) {
        return inTransaction(charge.id(), charge, false);
    }

    /** Keys of its own, for both sides share a table. */
    Receipt lookFirst(Charge charge) {
        return inTransaction("look-" + charge.id(), charge, true);
    }

    private Receipt inTransaction(String key, Charge charge, boolean look) {
        return Objects.requireNonNull(transactions.execute(status -> run(key, charge, look)));
    }

    private Receipt run(String key, Charge charge, boolean look) {
        String hash = fingerprint(charge);
        if (look) {
            Optional<Row> found = find(key);
            if (found.isPresent()) {
                return replay(found.get(), hash);
            }
        }
        Instant now = clock.instant();
        int acquired = jdbc.sql(ACQUIRE)
                .param(1, OPERATION)
                .param(2, key)
                .param(3, hash)
                .param(4, at(now))
                .param(5, at(now.plusSeconds(86_400)), Types.TIMESTAMP_WITH_TIMEZONE)
                .update();
        if (acquired == 0) {
            return replay(find(key).orElseThrow(), hash);
        }
        Receipt receipt = body.apply(charge);
        jdbc.sql(COMPLETE)
                .param(1, Receipt.class.getName(), Types.VARCHAR)
                .param(2, MAPPER.writeValueAsString(receipt), Types.VARCHAR)
                .param(3, at(clock.instant()))
                .param(4, OPERATION)
                .param(5, key)
                .update();
        return receipt;
    }

    private static Receipt replay(Row row, String hash) {
        if (!row.hash().equals(hash) || !row.status().equals("COMPLETED")) {
            throw new IllegalStateException("Another request, or in progress, which no commit leaves: " + row);
        }
        return MAPPER.readValue(row.payload(), Receipt.class);
    }

    private static String fingerprint(Charge charge) {
        try {
            byte[] canonical = CANONICAL.writeValueAsBytes(CANONICAL.valueToTree(charge));
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(canonical));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private Optional<Row> find(String key) {
        return jdbc.sql(FIND)
                .param(1, OPERATION)
                .param(2, key)
                .query(Kholodilin::row)
                .optional();
    }

    private static Row row(ResultSet row, int number) throws SQLException {
        return new Row(
                row.getString("operation"),
                row.getString("idempotency_key"),
                row.getString("status"),
                row.getString("request_hash"),
                row.getString("result_type"),
                row.getString("result_payload"),
                row.getString("error_code"),
                instant(row.getObject("created_at", OffsetDateTime.class)),
                instant(row.getObject("completed_at", OffsetDateTime.class)),
                instant(row.getObject("expires_at", OffsetDateTime.class)));
    }

    private static @Nullable Instant instant(@Nullable OffsetDateTime at) {
        return at == null ? null : at.toInstant();
    }

    private static OffsetDateTime at(Instant instant) {
        return OffsetDateTime.ofInstant(instant, ZoneOffset.UTC);
    }
}
