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
 * The supported databases. Each has named texts: statements, parts of statements, error codes and other differences.
 * {@link CommonTexts} has the texts that a database leaves out.
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

    /** The kinds of errors, known by SQLState or the vendor's code: messages differ by language and version. */
    public enum Trouble {
        DUPLICATE_KEY,
        /** The statement was rolled back in favour of another, and may be sent again. */
        ROLLED_BACK,
        LOCKED,
        NO_TABLE,
        READ_ONLY,
        /** The server stops, starts, or has too many connections. */
        NOT_SERVING,
        /** Waiting callers cannot be notified, or something else is not permitted. */
        CANNOT_TELL,
        /** The server does not have what was asked for, or this user may not use it. */
        UNSUPPORTED,
        /** The database can never store the value. */
        REJECTED
    }

    /** Returns the dialect for the product name that a database's driver gives. */
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

    public String folder() {
        return "idempotency/schema/" + key + "/";
    }

    /** Tells whether this database has a text of that name that is not empty. */
    boolean has(String name) {
        return !texts.getOrDefault(name, "").isEmpty();
    }

    /** Returns the text of that name with its parts filled in. */
    public String text(String name) {
        return filled("", name, Map.of());
    }

    /**
     * Fills in the parts of a text.
     *
     * @param form a prefix: a text is preferred whose name begins with it
     * @param others texts that replace this database's own
     */
    String filled(String form, String name, Map<String, String> others) {
        String text = others.getOrDefault(name, texts.getOrDefault(form + name, texts.get(name)));
        return PART.matcher(Objects.requireNonNull(text, name))
                .replaceAll(part -> Matcher.quoteReplacement(filled(form, part.group(1), others)));
    }

    public boolean is(Trouble trouble, SQLException e) {
        String state = String.valueOf(e.getSQLState());
        String code = Integer.toString(e.getErrorCode());
        return Arrays.stream(text(trouble.name().toLowerCase(Locale.ROOT)).split(" "))
                .anyMatch(each -> state.startsWith(each) || code.equals(each));
    }

    /** Tells whether a connection or an answer did not come in time, so that the statement's effect is unknown. */
    public static boolean unanswered(SQLException e) {
        String state = String.valueOf(e.getSQLState());
        return e instanceof SQLTimeoutException
                || e instanceof SQLTransientConnectionException
                || state.startsWith("08")
                || state.equals("57014");
    }
}
