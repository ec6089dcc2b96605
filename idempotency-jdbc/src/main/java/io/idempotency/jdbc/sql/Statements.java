package io.idempotency.jdbc.sql;

import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The statements of one store: the texts of its dialect, filled in for its table. */
public final class Statements {

    /** The kinds of statements. The text of each has its name in lower case. */
    public enum Verb {
        CLAIM,
        CLAIM_JOINED,
        RECLAIM,
        MARK,
        FIND,
        FIND_CURRENT,
        SEEN,
        SETTLE,
        RELEASE,
        DOUBT,
        RENEW,
        REMOVE,
        LIST_IN_PROGRESS,
        LIST_IN_DOUBT,
        LIST_SETTLED,
        RESOLVE,
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
        PROMOTED_TIME,
        TIMELINE,
        ACCEPTED_TIMELINE,
        ACCEPT_TIMELINE;

        /** Tells whether the statement claims a key: nothing is claimed on a server that is not durable enough. */
        public boolean claims() {
            return this == CLAIM || this == CLAIM_JOINED || this == RECLAIM;
        }

        String key() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** The format of records that this version of the library writes, and the newest that it reads. */
    public static final int FORMAT = 2;

    /** The first format with a checksum, and with the retention by which an expiry is checked. */
    static final int CHECKED_FORMAT = 2;

    private static final String ARRAYS = "<arrays>";

    private final Dialect dialect;
    private final @Nullable Statements quiet;
    private final Map<Verb, Sql> statements = new EnumMap<>(Verb.class);

    /** Fills in the statements; they notify waiting callers when {@code telling} is set and the database can. */
    public Statements(Dialect dialect, TableName table, boolean telling) {
        boolean tells = telling && dialect.has("notify");
        this.dialect = dialect;
        this.quiet = tells ? new Statements(dialect, table, false) : null;
        Map<String, String> names = Map.of(
                "table", table.qualified(),
                "simple", table.simple(),
                "channel", table.channel(),
                "schema", table.schema().map(schema -> "'" + schema + "'").orElse("{own_schema}"),
                "also_told", tells ? ", {notify}" : "",
                "arrays", ARRAYS);
        for (Verb verb : Verb.values()) {
            if (dialect.has(verb.key())) {
                statements.put(verb, parsed(verb, names));
            }
        }
    }

    public Dialect dialect() {
        return dialect;
    }

    /** Returns the same statements without notifications; null when these send none. */
    public @Nullable Statements quiet() {
        return quiet;
    }

    public boolean has(Verb verb) {
        return statements.containsKey(verb);
    }

    public Sql sql(Verb verb) {
        return Objects.requireNonNull(statements.get(verb), verb.name());
    }

    private Sql parsed(Verb verb, Map<String, String> names) {
        String form = quiet == null ? "" : "tell_";
        if (verb.key().startsWith("list_")) {
            form = "plain_"; // they name the plain column, so that they use the index of states
        } else if (verb == Verb.CLAIM_JOINED) {
            form = "joined_";
        }
        String many = dialect.filled("many_", verb.key(), names);
        Sql together = many.contains(ARRAYS) ? Sql.parse(ofMany(many), verb, null) : null;
        return Sql.parse(dialect.filled(form, verb.key(), names), verb, together);
    }

    /** Replaces the parameters by columns of a table, which has a row for each caller. */
    private static String ofMany(String text) {
        String arrays = Sql.NAME
                .matcher(text)
                .results()
                .map(name -> name.group(1))
                .distinct()
                .map(name -> "unnest(CAST(:" + name + "[] AS "
                        + Sql.Param.named(name).elements() + "[])) AS p_" + name)
                .collect(Collectors.joining(", "));
        return Sql.NAME.matcher(text).replaceAll("p_$1").replace(ARRAYS, arrays);
    }
}
