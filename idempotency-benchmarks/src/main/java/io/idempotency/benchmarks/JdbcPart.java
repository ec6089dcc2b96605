package io.idempotency.benchmarks;

import io.idempotency.test.servers.PostgresServer;
import io.micronaut.context.ApplicationContext;
import io.micronaut.core.type.Argument;
import io.micronaut.inject.qualifiers.Qualifiers;
import io.micronaut.jdbc.DataSourceResolver;
import io.micronaut.transaction.TransactionOperations;
import java.sql.Connection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import javax.sql.DataSource;

/** PostgreSQL and H2: two bare statements, this library; on PostgreSQL its peers and their bare statements. */
final class JdbcPart {

    private static final String HOW =
            "Calls per second, and medians of each round's ratio to the floor: two bare statements on"
                    + " a table of eight columns for a first call, an indexed SELECT for a replay, on a pool of "
                    + Applications.POOL
                    + ". Ours is the whole library, from the advised method on.";

    private static final String OURS = "ours";

    private static final String FEW = "outside, " + Applications.POOL + " callers at a time";

    private JdbcPart() {}

    static List<Table> postgres(Settings settings) throws Exception {
        try (PostgresServer server = PostgresServer.start("fsync=on", "full_page_writes=on")) {
            Map<String, Object> database = Applications.database(server);
            try (ApplicationContext ours = Applications.run(false, database);
                    ApplicationContext near = Applications.run(true, database);
                    ApplicationContext alone = Applications.memory();
                    Peers peers = Peers.find()) {
                BareStatements bare = new BareStatements(pool(ours), "BYTEA", " ON CONFLICT (id) DO NOTHING");
                Map<String, Turns.Side> sides = new LinkedHashMap<>();
                sides.put("floor", bare.floor());
                sides.put(Targets.LEAST, SafeStatements.POSTGRESQL.on(pool(ours)));
                sides.put("safe floor, together", SafeBatches.on(pool(ours)));
                sides.put(OURS, Applications.calls(ours));
                Map<String, Turns.Side> theirs =
                        Applications.calls(peers.postgresql(pool(ours), new Charges()::charge));
                sides.putAll(theirs);
                sides.put("statements of adzubla", bare.adzubla());
                sides.put("statements of KHolodilin", bare.kholodilin());
                sides.put("ours, near cache", Applications.calls(near));
                sides.put(Targets.ALONE, Applications.calls(alone));
                return new Turns(settings)
                        .tables(
                                "postgresql",
                                "PostgreSQL",
                                HOW
                                        + peers.how()
                                        + " The statements of a peer are sent bare, without it, each call's in one transaction:"
                                        + " the least that it could take, and no peer. fsync is on.",
                                "PostgreSQL",
                                sides,
                                Targets.POSTGRES_PEER.besides(Targets.POSTGRES_FLOOR.of(OURS, "floor"), OURS, theirs));
            }
        }
    }

    static List<Table> transaction(Settings settings) throws Exception {
        try (PostgresServer server = PostgresServer.start("fsync=on", "full_page_writes=on");
                ApplicationContext ours = Applications.run(false, Applications.database(server))) {
            Turns.Side call = Applications.calls(ours);
            TransactionOperations<Connection> transactions = ours.getBean(
                    Argument.of(TransactionOperations.class, Connection.class), Qualifiers.byName("default"));
            Map<String, Turns.Side> sides = new LinkedHashMap<>();
            sides.put("outside", call);
            sides.put(
                    "in the caller's transaction",
                    (key, first) -> transactions.executeWrite(status -> {
                        call.call(key, first);
                        return null;
                    }));
            Semaphore pool = new Semaphore(Applications.POOL);
            sides.put(FEW, (key, first) -> {
                pool.acquire();
                try {
                    call.call(key, first);
                } finally {
                    pool.release();
                }
            });
            return new Turns(settings)
                    .tables(
                            "transaction",
                            "PostgreSQL, in the caller's transaction",
                            "Ratios are to the same call outside a transaction. A claim is committed on a connection of its own,"
                                    + " beside the transaction's; the pool has "
                                    + Applications.POOL
                                    + ". The last side calls outside too, but no more callers at a time than there"
                                    + " can be transactions.",
                            "PostgreSQL",
                            sides,
                            List.of(Targets.TRANSACTION.of("in the caller's transaction", "outside")));
        }
    }

    static List<Table> h2(Settings settings) throws Exception {
        Map<String, Object> database =
                Applications.database("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1", "sa", "");
        try (ApplicationContext ours = Applications.run(false, database);
                ApplicationContext alone = Applications.memory()) {
            BareStatements bare = new BareStatements(pool(ours), "VARBINARY(100000)", "");
            Map<String, Turns.Side> sides = new LinkedHashMap<>();
            sides.put("floor", bare.floor());
            sides.put(Targets.LEAST, SafeStatements.H2.on(pool(ours)));
            sides.put(OURS, Applications.calls(ours));
            sides.put(Targets.ALONE, Applications.calls(alone));
            return new Turns(settings)
                    .tables("h2", "H2 in memory", HOW, "H2", sides, List.of(Targets.H2_FLOOR.of(OURS, "floor")));
        }
    }

    /** Not what hands out the connection of a transaction. */
    static DataSource pool(ApplicationContext application) {
        return application.getBean(DataSourceResolver.class).resolve(application.getBean(DataSource.class));
    }
}
