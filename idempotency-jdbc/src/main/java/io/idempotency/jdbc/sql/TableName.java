package io.idempotency.jdbc.sql;

import io.micronaut.context.exceptions.ConfigurationException;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A table's name as it goes into statements, so nothing but a plain identifier is let through.
 *
 * @param qualified with the schema, if one was given
 */
public record TableName(String qualified) {

    /** Short enough for the index's name in every database. */
    private static final Pattern FORM = Pattern.compile("([A-Za-z_][A-Za-z0-9_]{0,62}\\.)?[A-Za-z_][A-Za-z0-9_]{0,54}");

    public TableName {
        if (!FORM.matcher(qualified).matches()) {
            throw new ConfigurationException("idempotency.jdbc.table is '" + qualified
                    + "'; it must be a table's name of up to 55 letters, digits and underscores, with its schema and a"
                    + " dot in front where needed, and without quotes");
        }
    }

    /** Without the schema. */
    public String simple() {
        return qualified.substring(qualified.indexOf('.') + 1);
    }

    /** Empty for the connection's own. */
    Optional<String> schema() {
        int dot = qualified.indexOf('.');
        return dot < 0 ? Optional.empty() : Optional.of(qualified.substring(0, dot));
    }

    /** By which nodes tell each other that a record was settled; the same however each of them writes the name. */
    public String channel() {
        return simple().toLowerCase(Locale.ROOT);
    }
}
