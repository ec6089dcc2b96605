package io.idempotency.jdbc.sql;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The statements of one store, ready to be prepared: the texts of its dialect, filled in for its table. */
public final class Statements {

    /** The statements of the store. The name of its text in the dialects' tables is that of the verb in lower case. */
    public enum Verb {
        CLAIM,
        RECLAIM,
        MARK,
        FIND,
        SEEN,
        COMPLETE,
        FAIL,
        RELEASE,
        DOUBT,
        RENEW,
        REMOVE,
        LIST_IN_PROGRESS,
        LIST_IN_DOUBT,
        LIST_SETTLED,
        RESOLVE_COMPLETE,
        RESOLVE_FAIL,
        FORGET,
        ERASE,
        AUDIT,
        PURGE,
        APPROXIMATE_SIZE,
        NEWEST_FORMAT,
        UNIQUE_ID,
        DURABILITY,
        CLOCK,
        FIRST_TIME,
        KEEP_TIME,
        KEPT_TIME,
        TIMELINE,
        ACCEPTED_TIMELINE,
        ACCEPT_TIMELINE;

        private static final Set<Verb> SETTLING = EnumSet.of(COMPLETE, FAIL, RELEASE, DOUBT);

        /** Whether waiting callers are told. */
        boolean settles() {
            return SETTLING.contains(this);
        }

        /** Whether it is also sent for many callers at once. */
        boolean isForMany() {
            return settles() || this == CLAIM || this == FIND;
        }

        String key() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** The format that this version of the library writes, and the newest that it reads. */
    public static final int FORMAT = 2;

    /** From here on a record says what it holds in a checksum, and twice when it expires. */
    static final int CHECKED_FORMAT = 2;

    /** Where the callers' values go. */
    private static final String ARRAYS = "<arrays>";

    private final Dialect dialect;
    private final TableName table;
    private final boolean tells;
    private final Map<String, String> names;
    private final Map<Verb, Sql> statements = new EnumMap<>(Verb.class);

    /**
     * Fills them in.
     *
     * @param telling whether waiting callers are to be told, where the database can
     */
    public Statements(Dialect dialect, TableName table, boolean telling) {
        this.dialect = dialect;
        this.table = table;
        this.tells = telling && dialect.has("notify");
        this.names = new HashMap<>(Map.of(
                "table", table.qualified(),
                "simple", table.simple(),
                "channel", table.channel(),
                "schema", table.schema().map(schema -> "'" + schema + "'").orElse("{own_schema}"),
                "also_told", tells ? ", {notify}" : "",
                "arrays", ARRAYS));
        for (Verb verb : Verb.values()) {
            if (dialect.has(verb.key()) && (tells || verb != Verb.MARK)) {
                statements.put(verb, parsed(verb));
            }
        }
    }

    public Dialect dialect() {
        return dialect;
    }

    public TableName table() {
        return table;
    }

    /** Whether waiting callers are told. */
    public boolean tells() {
        return tells;
    }

    /** Whether the database has that statement. */
    public boolean has(Verb verb) {
        return statements.containsKey(verb);
    }

    /** The statement, which the database has. */
    public Sql sql(Verb verb) {
        return Objects.requireNonNull(statements.get(verb), verb.name());
    }

    private Sql parsed(Verb verb) {
        // lists go by the index of states
        Sql one = Sql.parse(dialect.filled(verb.key().startsWith("list_") ? "plain_" : "", verb.key(), names));
        Sql sql = verb.settles() && tells
                ? Sql.parse(dialect.filled("tell_", verb.key(), names)).or(one)
                : one;
        return verb.isForMany() && dialect.has("asked")
                ? sql.orTogether(Sql.parse(ofMany(dialect.filled("many_", verb.key(), names))))
                : sql;
    }

    /** The callers' values become columns of a table. */
    private static String ofMany(String text) {
        Set<String> used = new TreeSet<>();
        String columns = Sql.NAME.matcher(text).replaceAll(name -> {
            used.add(name.group(1));
            return "p_" + name.group(1);
        });
        return columns.replace(
                ARRAYS,
                used.stream()
                        .map(name -> "unnest(CAST(:" + name + "[] AS "
                                + Sql.Param.named(name).elements() + "[])) AS p_" + name)
                        .collect(Collectors.joining(", ")));
    }
}
