package io.idempotency.jdbc;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * The statements that make the table, as they lie in the jar for Flyway and Liquibase, under the table's own name.
 *
 * @param script all of them, with comments
 */
record Ddl(String script) {

    private static final String NAME = "idempotency_record";

    static Ddl of(Dialect dialect, TableName table) {
        String named = read("/db/idempotency/" + dialect.key() + "/R__idempotency_record.sql")
                .replace(NAME + "_expiry", table.simple() + "_expiry")
                .replaceAll("\\b" + NAME + "\\b", table.qualified());
        return new Ddl(named);
    }

    List<String> statements() {
        return Arrays.stream(script.replaceAll("(?m)^--.*$", "").split(";", -1))
                .map(String::strip)
                .filter(statement -> !statement.isEmpty())
                .toList();
    }

    private static String read(String resource) {
        try (InputStream in = Ddl.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new IllegalStateException("The idempotency-jdbc jar is incomplete: it has no " + resource);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
