package io.idempotency.jdbc;

import io.idempotency.IdempotentOperation;
import io.idempotency.WhenInProgress;
import io.micronaut.context.annotation.Requires;
import io.micronaut.data.jdbc.runtime.JdbcOperations;
import io.micronaut.transaction.annotation.Transactional;
import jakarta.inject.Singleton;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;

/** A service whose writes and record share a transaction. */
@Singleton
@Requires(property = "test.ledger")
class Ledger {

    final AtomicInteger bodies = new AtomicInteger();
    private final JdbcOperations jdbc;
    private final LedgerEntries entries;

    Ledger(JdbcOperations jdbc, LedgerEntries entries) {
        this.jdbc = jdbc;
        this.entries = entries;
    }

    // tag::transactional[]
    @IdempotentOperation(value = "book-by-repository", key = "entry", transactional = true)
    public int bookByRepository(String entry, int amount) {
        entries.save(new LedgerEntries.Entry(entry, amount));
        if (amount < 0) {
            throw new IllegalStateException("refused");
        }
        return bodies.incrementAndGet();
    }
    // end::transactional[]

    @IdempotentOperation(
            value = "book-entry",
            key = "entry",
            transactional = true,
            whenInProgress = WhenInProgress.WAIT,
            waitTimeout = "20s")
    public String book(String entry, int amount) {
        return write(entry, amount);
    }

    /** The application's own transaction inside joins. */
    @Transactional
    @IdempotentOperation(value = "book-strictly", key = "entry", transactional = true)
    public String bookStrictly(String entry, int amount) {
        return write(entry, amount);
    }

    /** A statement that changes tables commits, on MySQL and H2, what was written before. */
    @IdempotentOperation(value = "book-and-commit", key = "entry", transactional = true)
    public String bookAndCommit(String entry) {
        write(entry, 1);
        return jdbc.execute(connection -> {
            connection.commit();
            throw new SQLException("no space left");
        });
    }

    private String write(String entry, int amount) {
        int number = bodies.incrementAndGet();
        jdbc.prepareStatement("INSERT INTO ledger (entry, amount) VALUES (?, ?)", statement -> {
            statement.setString(1, entry);
            statement.setInt(2, amount);
            return statement.executeUpdate();
        });
        if (amount < 0) {
            throw new IllegalStateException("refused");
        }
        return entry + " #" + number;
    }
}
