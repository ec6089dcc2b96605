package io.idempotency.jdbc;

import io.micronaut.context.exceptions.ConfigurationException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.sql.SQLTransientConnectionException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What differs between databases; a new one is one more class, named in {@link #all}. Instants are milliseconds since the
 * epoch by the database's clock at the moment of the statement, never of the transaction; {@code {now}} stands for them,
 * {@code {now_us}} for microseconds. Errors are told by SQLState and the vendor's code, because messages differ by
 * language and version.
 */
abstract class Dialect {

    private static final Set<String> DUPLICATE = Set.of("23505", "23000", "23001");
    private static final String ROLLED_BACK = "40";
    private static final String CONNECTION = "08";
    private static final String CANCELLED = "57014";

    // MySQL assigns from left to right: what is asked about is assigned last
    static final String RECLAIM = """
            UPDATE {table} SET attempt = CASE WHEN expires_at_ms <= {now} THEN 1 ELSE attempt + 1 END, {raised},
              operation = :operation, fingerprint = :fingerprint, owner = :owner, state = 'IN_PROGRESS',
              claimed_at_ms = {began}, lease_until_ms = {began} + :lease_ms, settled_at_ms = NULL,
              expires_at_ms = {began} + :retention_ms, retention_ms = :after_lease_ms, {unmarked}{no_outcome},
              result = :result, result_size = :result_size, format_version = {format}, checksum = :checksum
            WHERE id = :id AND ({claimable})""";

    /** Of one state: it makes no difference to the order, but this is that of an index, and nothing is sorted. */
    static final String BY_STATE = "state, ";

    private final String product;
    private final String key;

    Dialect(String product, String key) {
        this.product = product;
        this.key = key;
    }

    /** No constant: a class and its subclass that two threads load first would wait for each other. */
    private static List<Dialect> all() {
        return List.of(new H2Dialect(), new PostgresDialect(), MySqlDialect.mariaDb(), MySqlDialect.mySql());
    }

    static Dialect of(String product) {
        return all().stream()
                .filter(dialect -> dialect.product.equals(product))
                .findFirst()
                .orElseThrow(() -> new ConfigurationException("The JDBC idempotency store does not know the database '"
                        + product + "'; it knows "
                        + all().stream().map(dialect -> dialect.product).collect(Collectors.joining(", "))
                        + ". Point idempotency.jdbc.datasource at one of them, or choose another idempotency.store."));
    }

    /** The name of the folder that holds its table definition. */
    final String key() {
        return key;
    }

    /** The expression for the database's clock, in the given fraction of a second. */
    abstract String clock(int unitsPerSecond);

    /** The clock in milliseconds, the same wherever one statement asks for it: for values that have to agree. */
    String statementClock() {
        return clock(1_000);
    }

    /** The state of a row that is found by its id, so that no index of states is taken for the shorter way to it. */
    String stateOfOne() {
        return "state";
    }

    /**
     * Claims a key that is absent. It answers {@link InsertedClaim}, and nothing (or SQLState 23xxx) for a key that is there; or
     * the row, also that of a key that is there.
     */
    abstract String claim();

    /** Whether {@link #claim} answers the row where it answers. */
    boolean answersRow() {
        return false;
    }

    /**
     * As {@link #claim} for many records at once; the answers begin with the record's id. The values of each are in columns
     * {@code p_id} and so on of {@code {asked}}. Empty where each record is asked for alone.
     */
    String claimTogether() {
        return "";
    }

    /**
     * Marks a row in progress as waited for, and answers it; nothing for a row that changed. Empty without notifications.
     */
    String marking() {
        return "";
    }

    /** As the given statement, which finds one record, for many. */
    String findTogether(String find) {
        return "";
    }

    /** As the given statement, which settles one record and tells those who wait for it or not, for many. */
    String settlingTogether(String update, boolean tells) {
        return "";
    }

    /** Fills in {@code {asked}}. */
    String ofMany(String text) {
        return text;
    }

    /** Takes the mark off a row that gets a new owner: a waiting caller looks when the lease ends that it saw, and marks it again. */
    String unmarked() {
        return "";
    }

    /** Ends a statement that settles a row: tells those who wait for it. Empty where they find out by themselves. */
    String telling() {
        return "";
    }

    /** Fills in the condition and the order of a list, for what is in doubt: an index orders the rows of one state. */
    String listInDoubt(String list) {
        return "(" + list.formatted("state = 'IN_DOUBT'", BY_STATE) + ") UNION ALL ("
                + list.formatted("{overdue}", BY_STATE) + ") ORDER BY claimed_at_ms, id LIMIT :limit";
    }

    /** The columns that only this database's table has. */
    List<String> ownColumns() {
        return List.of();
    }

    /**
     * Removes at most so many expired rows, passing over those that another node is removing, and those whose fence has
     * still to be remembered.
     */
    abstract String purge();

    /** About how many rows there are, from the database's statistics: one row, one number, without reading the table. */
    abstract String approximateSize(TableName table);

    /** How long a claim in a transaction waits for the row of another one. */
    abstract LockWait lockWait(Duration limit);

    /**
     * Where that limit is kept.
     *
     * @param query asks for it
     * @param command sets it to {@code %s}
     * @param limit in the database's unit; not zero, which means for ever in some of them
     */
    record LockWait(String query, String command, long limit) {

        String read(Connection connection) throws SQLException {
            try (Statement statement = connection.createStatement();
                    ResultSet rows = statement.executeQuery(query)) {
                rows.next();
                return rows.getString(1);
            }
        }

        void write(Connection connection, String value) throws SQLException {
            try (Statement statement = connection.createStatement()) {
                statement.execute(command.formatted(value));
            }
        }
    }

    /** One statement is atomic at any isolation level; at this one it is not rolled back for what others do beside it. */
    <T> T calmly(Connection connection, ConnectionSource.Work<T> work) throws SQLException {
        int before = connection.getTransactionIsolation();
        connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
        try {
            return work.on(connection);
        } finally {
            connection.setTransactionIsolation(before);
        }
    }

    /** Ends a SELECT in a transaction that is to see what others committed since it began. Empty where each one does. */
    String current() {
        return "";
    }

    /** From which share of replays, in percent, a plain SELECT in front of each claim costs less than it saves. */
    int asksFirstFrom() {
        return 60;
    }

    /** Whether a driver's limit for one statement holds for that statement alone. */
    boolean limitsStatements() {
        return true;
    }

    /**
     * One SELECT whose only row says whether the server takes no writes, whether it keeps in a crash what it answered,
     * whether a standby does too, and the settings that show it.
     */
    abstract String durability(TableName table);

    /** A SELECT with a row where the id alone is unique; each {@code ?} is the table's schema, empty for the session's, or its name. */
    abstract String uniqueId();

    /** One SELECT of the number of the history that the primary writes, null on a standby; null where there is none. */
    @Nullable
    String timeline() {
        return null;
    }

    /** What to do about too little durability; the beginning of a sentence. */
    abstract String cure();

    /** The statement waited for another transaction's row as long as it may. */
    abstract boolean locked(SQLException e);

    /** There is no such table, or no such schema. */
    abstract boolean noTable(SQLException e);

    /** The server takes no writes: it is a standby, or set to read-only. */
    abstract boolean readOnly(SQLException e);

    /** Those who wait cannot be told; or something else is not permitted. */
    boolean cannotTell(SQLException e) {
        return false;
    }

    /** The statement lost against another one, changed nothing and may be sent again. */
    boolean rolledBack(SQLException e) {
        return e.getSQLState() != null && e.getSQLState().startsWith(ROLLED_BACK);
    }

    /** Another transaction inserted the same key first. */
    static boolean duplicateKey(SQLException e) {
        return DUPLICATE.contains(String.valueOf(e.getSQLState()));
    }

    /** The server does not have what was asked for, or not for this user. */
    static boolean unsupported(SQLException e) {
        String state = String.valueOf(e.getSQLState());
        return state.startsWith("42") || state.startsWith("0A");
    }

    /** There was no connection, or no answer in time. */
    static boolean unanswered(SQLException e) {
        String state = e.getSQLState();
        return e instanceof SQLTimeoutException
                || e instanceof SQLTransientConnectionException
                || (state != null && (state.startsWith(CONNECTION) || state.equals(CANCELLED)));
    }
}
