package io.idempotency.jdbc.sql;

import io.micronaut.context.exceptions.ConfigurationException;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.sql.SQLTransientConnectionException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The databases that the store knows. Each has a table of texts: its statements, parts of statements, the codes of its errors and
 * what else differs. What it leaves out is in {@link CommonTexts}.
 */
public enum Dialect {
    H2("H2", "h2", DialectTexts.H2),
    POSTGRESQL("PostgreSQL", "postgresql", DialectTexts.POSTGRESQL),
    MARIADB("MariaDB", "mysql", DialectTexts.MARIADB),
    MYSQL("MySQL", "mysql", DialectTexts.MYSQL);

    private static final Pattern PART = Pattern.compile("\\{([a-z_]+)}");

    private final String product;
    private final String key;
    private final Map<String, String> texts = new HashMap<>();

    Dialect(String product, String key, String own) {
        this.product = product;
        this.key = key;
        for (String text : (CommonTexts.TEXTS + own).split("\n(?! )")) {
            if (!text.startsWith("#") && !text.isBlank()) {
                String[] named = text.split(":", 2);
                texts.put(named[0], named[1].replaceAll("\\s+", " ").strip());
            }
        }
    }

    /** What an error says. Codes are SQLStates or their beginnings, or the vendor's: messages differ by language and version. */
    public enum Trouble {
        /** Another transaction inserted the same key first. */
        DUPLICATE_KEY,
        /** The statement lost against another one, changed nothing and may be sent again. */
        ROLLED_BACK,
        /** The statement waited for another transaction's row as long as it may. */
        LOCKED,
        /** There is no such table, or no such schema. */
        NO_TABLE,
        /** The server takes no writes: it is a standby, or set to read-only. */
        READ_ONLY,
        /** Waiting callers cannot be told; or something else is not permitted. */
        CANNOT_TELL,
        /** The server does not have what was asked for, or not for this user. */
        UNSUPPORTED,
        /** A value that the database never takes, however often it is asked. */
        REJECTED
    }

    /**
     * Returns the dialect of a database.
     *
     * @param product its name, as its driver says it
     * @throws ConfigurationException for one that the store does not know
     */
    public static Dialect of(String product) {
        return Arrays.stream(values())
                .filter(dialect -> dialect.product.equals(product))
                .findFirst()
                .orElseThrow(() -> new ConfigurationException("The JDBC idempotency store does not know the database '"
                        + product + "'; it knows "
                        + Arrays.stream(values())
                                .map(dialect -> dialect.product)
                                .collect(Collectors.joining(", "))
                        + ". Point idempotency.jdbc.datasource at one of them, or choose another idempotency.store."));
    }

    /** The name of the folder that holds its table definition. */
    public String key() {
        return key;
    }

    /** Whether this database has more of a text than its name. */
    boolean has(String name) {
        return !texts.getOrDefault(name, "").isEmpty();
    }

    /** The text of that name, filled in; empty where this database has none. */
    public String text(String name) {
        return filled("", name, Map.of());
    }

    /**
     * Fills in the parts of a text.
     *
     * @param form a prefix of names; a part that has it takes the place of the part without
     * @param name of the text
     * @param others parts that are in no table
     */
    String filled(String form, String name, Map<String, String> others) {
        String text = others.getOrDefault(name, texts.getOrDefault(form + name, texts.get(name)));
        return PART.matcher(Objects.requireNonNull(text, name))
                .replaceAll(part -> Matcher.quoteReplacement(filled(form, part.group(1), others)));
    }

    /** Whether an error says that. */
    public boolean is(Trouble trouble, SQLException e) {
        String state = String.valueOf(e.getSQLState());
        String code = Integer.toString(e.getErrorCode());
        return Arrays.stream(text(trouble.name().toLowerCase(Locale.ROOT)).split(" "))
                .anyMatch(each -> state.startsWith(each) || code.equals(each));
    }

    /** Whether there was no connection, or no answer in time: what the statement did is not known. */
    public static boolean unanswered(SQLException e) {
        String state = String.valueOf(e.getSQLState());
        return e instanceof SQLTimeoutException
                || e instanceof SQLTransientConnectionException
                || state.startsWith("08")
                || state.equals("57014");
    }
}
