package io.idempotency.jdbc;

import static io.idempotency.jdbc.Calls.RESULT;
import static io.idempotency.jdbc.Calls.RETENTION;
import static io.idempotency.jdbc.Calls.claim;
import static io.idempotency.jdbc.Calls.get;
import static io.idempotency.jdbc.Calls.own;
import static io.idempotency.jdbc.Calls.store;

import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.RecordId;
import io.idempotency.test.servers.PostgresServer;
import io.micronaut.context.ApplicationContext;
import io.micronaut.core.type.Argument;
import io.micronaut.data.connection.jdbc.advice.DelegatingDataSource;
import io.micronaut.inject.qualifiers.Qualifiers;
import io.micronaut.transaction.TransactionOperations;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Prints what first calls and replays cost beside the same work in bare statements, on the same pool and table, in rounds
 * that take turns: {@code mvn -Pload}. System properties choose: {@code place}, {@code rounds}, {@code round.ms}.
 */
@Tag("load")
class StoreSpeedTest {

    private static final int ROUNDS = Integer.getInteger("rounds", 5);
    private static final long ROUND_NANOS = Long.getLong("round.ms", 1500) * 1_000_000;

    private final AtomicLong numbers = new AtomicLong();
    private DataSource pool;
    private Place here;
    private IdempotencyStore store;
    private TransactionOperations<Connection> transactions;

    private interface Call {
        void make(long number) throws SQLException;
    }

    static Stream<Named<Supplier<Place>>> places() {
        Stream<Named<Supplier<Place>>> all = Stream.of(
                Named.of("H2", Place::h2),
                Named.of(
                        "H2 in a file",
                        () -> Place.h2(
                                "jdbc:h2:file:" + System.getProperty("java.io.tmpdir") + "/speed" + System.nanoTime())),
                Named.of("PostgreSQL", Place::postgres),
                Named.of(
                        "PostgreSQL that waits for its disk",
                        () -> Place.postgres(PostgresServer.start("fsync=on", "full_page_writes=on"))),
                Named.of("MariaDB", () -> Place.mariaDb("mariadb")));
        return all.filter(place -> place.getName().matches(System.getProperty("place", ".*")));
    }

    @ParameterizedTest
    @MethodSource("places")
    void callsBesideBareStatements(Supplier<Place> place) throws Exception {
        here = place.get();
        try (ApplicationContext application = here.application("idempotency.jdbc.pool-size", 8)) {
            store = store(application);
            pool = DelegatingDataSource.unwrapDataSource(application.getBean(DataSource.class));
            get(store.complete(own(store, claim("replayed")), RESULT, RETENTION));
            for (int callers : new int[] {1, 8}) {
                print(callers, "first calls", this::bareFirst, this::first);
                print(callers, "replays", this::bareReplay, this::replay);
                transactions = application.getBean(
                        Argument.of(TransactionOperations.class, Connection.class), Qualifiers.byName("default"));
                print(callers, "first calls in a transaction (bare: outside)", this::first, this::firstInside);
            }
        }
    }

    private void first(long number) {
        get(store.complete(own(store, claim("key" + number)), RESULT, RETENTION));
    }

    private void firstInside(long number) {
        transactions.executeWrite(status -> {
            first(number);
            return null;
        });
    }

    private void replay(long unused) {
        get(store.claim(claim("replayed")));
    }

    /** A row as wide as a record, inserted and updated. */
    private void bareFirst(long number) throws SQLException {
        String id = RecordId.of("bare", null, null, "key" + number).value();
        run(
                "INSERT INTO " + here.table()
                        + " (id, operation, fingerprint, state, owner, fence, attempt, claimed_at_ms,"
                        + " lease_until_ms, expires_at_ms, format_version) VALUES (?, 'charge', 'fingerprint', 'IN_PROGRESS',"
                        + " '5d1f7f0e-8d2b-4c55-9a37-0c1f4f6f2b11', 1, 1, 1, 1, 9000000000000, 1)",
                id);
        run(
                "UPDATE " + here.table() + " SET state = 'COMPLETED', result_kind = 'PRESENT', result_size = 4,"
                        + " settled_at_ms = 1, expires_at_ms = 8000000000000 WHERE id = ?",
                id);
    }

    private void bareReplay(long unused) throws SQLException {
        run(
                "SELECT * FROM " + here.table() + " WHERE id = ?",
                Calls.id("replayed").value());
    }

    private void run(String sql, String id) throws SQLException {
        try (Connection connection = pool.getConnection();
                PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, id);
            statement.execute();
        }
    }

    private void print(int callers, String what, Call bare, Call ours) throws Exception {
        double[] ratios = new double[ROUNDS];
        double[] floors = new double[ROUNDS];
        double[] rates = new double[ROUNDS];
        perSecond(callers, bare);
        perSecond(callers, ours);
        for (int round = 0; round < ROUNDS; round++) {
            floors[round] = perSecond(callers, bare);
            rates[round] = perSecond(callers, ours);
            ratios[round] = rates[round] / floors[round];
        }
        System.out.printf(
                "%-12s %d callers, %s: %.0f/s, bare %.0f/s, ratio %.2f%n",
                here.url().split(":", -1)[1], callers, what, median(rates), median(floors), median(ratios));
    }

    private double perSecond(int callers, Call call) throws Exception {
        long start = System.nanoTime();
        try (Crowd crowd = new Crowd(callers)) {
            long calls = crowd
                    .atOnce(() -> {
                        long made = 0;
                        for (; System.nanoTime() - start < ROUND_NANOS; made++) {
                            call.make(numbers.incrementAndGet());
                        }
                        return made;
                    })
                    .stream()
                    .mapToLong(Long::longValue)
                    .sum();
            return calls * 1e9 / (System.nanoTime() - start);
        }
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }
}
