package io.idempotency.jdbc;

import static io.idempotency.jdbc.Calls.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.jdbc.connection.OwnConnections;
import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.ClaimResult;
import io.idempotency.runtime.store.ForwardingStore;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.RecordId;
import io.idempotency.runtime.store.Settled;
import io.idempotency.runtime.store.StoredFailure;
import io.idempotency.runtime.store.StoredRecord;
import io.idempotency.runtime.store.StoredResult;
import io.micronaut.context.ApplicationContext;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * Sends whatever can be sent for many together with the same of a companion, and sees that the companion is answered as if he were
 * alone. It keeps the pool's one connection until both wait for it.
 */
final class InCompany extends ForwardingStore {

    /** Of the companions' records. */
    static final String OPERATION = "company";

    private static final StoredFailure FAILURE = new StoredFailure("Company", "of somebody", "0");

    private final IdempotencyStore store;
    private final OwnConnections own;

    private InCompany(IdempotencyStore store, OwnConnections own) {
        super(store);
        this.store = store;
        this.own = own;
    }

    /** The application's store; in company where one caller that waits is enough for that. */
    static IdempotencyStore of(ApplicationContext application) {
        IdempotencyStore store = Calls.store(application);
        boolean combined = application
                .getProperty("idempotency.jdbc.pool-size", Integer.class)
                .equals(Optional.of(1));
        return combined ? new InCompany(store, ((JdbcIdempotencyStore) store).opened.own) : store;
    }

    @Override
    public ClaimResult claim(Claim claim) {
        Claim other = other();
        Claim first = other();
        return together(() -> store.claim(first), () -> store.claim(claim), () -> {
            assertThat(get(store.claim(other))).isInstanceOf(ClaimResult.Acquired.class);
            assertThat(get(store.find(other.id())).orElseThrow().owner()).isEqualTo(other.owner());
        });
    }

    @Override
    public Optional<StoredRecord> find(RecordId id) {
        return together(
                () -> store.find(other().id()),
                () -> store.find(id),
                () -> assertThat(get(store.find(other().id()))).isEmpty());
    }

    @Override
    public Settled complete(Ownership ownership, StoredResult result, Duration retention) {
        Ownership other = Calls.own(store, other());
        Ownership first = Calls.own(store, other());
        return together(
                () -> store.complete(first, Calls.RESULT, Calls.RETENTION),
                () -> store.complete(ownership, result, retention),
                () -> {
                    assertThat(get(store.complete(other, Calls.RESULT, Calls.RETENTION)))
                            .isEqualTo(new Settled.Applied());
                    assertThat(get(store.find(other.id())).orElseThrow().result())
                            .isEqualTo(Calls.RESULT);
                });
    }

    @Override
    public Settled fail(Ownership ownership, StoredFailure failure, Duration retention) {
        Ownership other = Calls.own(store, other());
        Ownership first = Calls.own(store, other());
        return together(
                () -> store.fail(first, FAILURE, Calls.RETENTION),
                () -> store.fail(ownership, failure, retention),
                () -> {
                    assertThat(get(store.fail(other, FAILURE, Calls.RETENTION))).isEqualTo(new Settled.Applied());
                    assertThat(get(store.find(other.id())).orElseThrow().failure())
                            .isEqualTo(FAILURE);
                });
    }

    private static Claim other() {
        String key = UUID.randomUUID().toString();
        return new Claim(Calls.id(key), OPERATION, "fingerprint", key, Calls.LEASE, Calls.RETENTION, false);
    }

    /** The first one that wants the same is stuck, and its place goes to those that wait for it. */
    private <T> T together(Runnable first, Supplier<T> call, Runnable others) {
        Call caller = new Call(Thread.currentThread(), new CompletableFuture<>());
        try (Connection connection = own.borrow()) {
            Call stuck = Call.started(first).waits();
            Call company = Call.started(others).waits();
            Call releasing = Call.started(() -> {
                caller.waits();
                close(connection);
            });
            T answer = call.get();
            caller.over.complete(null);
            releasing.over.join();
            stuck.over.join();
            company.over.join();
            return answer;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void close(Connection connection) {
        try {
            connection.close();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** What a thread does. */
    private record Call(Thread thread, CompletableFuture<Void> over) {

        static Call started(Runnable call) {
            CompletableFuture<Void> over = new CompletableFuture<>();
            Thread thread = new Thread(() -> {
                try {
                    call.run();
                    over.complete(null);
                } catch (Throwable e) {
                    over.completeExceptionally(e);
                }
            });
            thread.start();
            return new Call(thread, over);
        }

        /** Waits until it waits for the connection, or is over. */
        Call waits() {
            while (thread.getState() != Thread.State.TIMED_WAITING && !over.isDone()) {
                Thread.yield();
            }
            return this;
        }
    }
}
