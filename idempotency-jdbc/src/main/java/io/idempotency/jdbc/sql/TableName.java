package io.idempotency.jdbc.sql;

import io.micronaut.context.exceptions.ConfigurationException;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A table's name, which becomes part of statements and so must be a plain identifier.
 *
 * @param qualified with the schema, if one was given
 */
public record TableName(String qualified) {

    /** The length leaves room for the index's name in every database. */
    private static final Pattern FORM = Pattern.compile("([A-Za-z_][A-Za-z0-9_]{0,62}\\.)?[A-Za-z_][A-Za-z0-9_]{0,54}");

    public TableName {
        if (!FORM.matcher(qualified).matches()) {
            throw new ConfigurationException("idempotency.jdbc.table is '" + qualified
                    + "'; it must be a table's name of up to 55 letters, digits and underscores, with its schema and a"
                    + " dot in front where needed, and without quotes");
        }
    }

    public String simple() {
        return qualified.substring(qualified.indexOf('.') + 1);
    }

    /** Returns the schema; empty for the connection's default schema. */
    public Optional<String> schema() {
        int dot = qualified.indexOf('.');
        return dot < 0 ? Optional.empty() : Optional.of(qualified.substring(0, dot));
    }

    /** Returns the channel of notifications: in lower case, so that it is the same however a node writes the name. */
    public String channel() {
        return simple().toLowerCase(Locale.ROOT);
    }
}
