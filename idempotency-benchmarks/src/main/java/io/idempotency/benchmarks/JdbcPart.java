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
import javax.sql.DataSource;

/** PostgreSQL and H2: two bare statements, this library; on PostgreSQL its peers. */
final class JdbcPart {

    private static final String HOW =
            "First / replay; the floor: two bare statements on a table of eight columns, an indexed SELECT for a replay; a pool of "
                    + Applications.POOL
                    + ".";

    private static final String OURS = "ours";

    private JdbcPart() {}

    static List<Table> postgres(Settings settings) throws Exception {
        try (PostgresServer server = PostgresServer.start("fsync=on", "full_page_writes=on")) {
            Map<String, Object> database = Applications.database(server);
            try (ApplicationContext ours = Applications.run(database);
                    Peers peers = Peers.find()) {
                BareStatements bare = new BareStatements(pool(ours), "BYTEA", " ON CONFLICT (id) DO NOTHING");
                Map<String, Turns.Side> sides = new LinkedHashMap<>();
                sides.put("floor", bare.floor());
                sides.put(OURS, Applications.calls(ours));
                sides.putAll(Applications.calls(peers.postgresql(pool(ours), new Charges()::charge)));
                return List.of(new Turns(settings)
                        .table("postgresql", "PostgreSQL", HOW + " fsync is on.", "PostgreSQL", sides));
            }
        }
    }

    static List<Table> transaction(Settings settings) throws Exception {
        try (PostgresServer server = PostgresServer.start("fsync=on", "full_page_writes=on");
                ApplicationContext ours = Applications.run(Applications.database(server))) {
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
            return List.of(new Turns(settings)
                    .table(
                            "transaction",
                            "PostgreSQL, in the caller's transaction",
                            "Beside the same call outside a transaction; the application's pool has "
                                    + Applications.POOL + ".",
                            "PostgreSQL",
                            sides));
        }
    }

    static List<Table> h2(Settings settings) throws Exception {
        Map<String, Object> database =
                Applications.database("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1", "sa", "");
        try (ApplicationContext ours = Applications.run(database)) {
            BareStatements bare = new BareStatements(pool(ours), "VARBINARY(100000)", "");
            Map<String, Turns.Side> sides = new LinkedHashMap<>();
            sides.put("floor", bare.floor());
            sides.put(OURS, Applications.calls(ours));
            return List.of(new Turns(settings).table("h2", "H2 in memory", HOW, "H2", sides));
        }
    }

    /** Not what hands out the connection of a transaction. */
    static DataSource pool(ApplicationContext application) {
        return application.getBean(DataSourceResolver.class).resolve(application.getBean(DataSource.class));
    }
}
