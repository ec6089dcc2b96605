package io.idempotency.demo;

import io.micronaut.context.event.ApplicationEventListener;
import io.micronaut.context.event.StartupEvent;
import io.micronaut.core.annotation.Order;
import io.micronaut.core.io.ResourceLoader;
import io.micronaut.data.connection.ConnectionOperations;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/** Creates the demo's own tables. A real service would use a migration tool. */
@Singleton
@Order(-1)
final class Schema implements ApplicationEventListener<StartupEvent> {

    private final ConnectionOperations<Connection> connections;
    private final ResourceLoader resources;

    Schema(ConnectionOperations<Connection> connections, ResourceLoader resources) {
        this.connections = connections;
        this.resources = resources;
    }

    @Override
    public void onApplicationEvent(StartupEvent event) {
        connections.executeWrite(status -> create(status.getConnection()));
    }

    private boolean create(Connection connection) {
        try (Statement statement = connection.createStatement()) {
            for (String sql : script().split(";")) {
                if (!sql.isBlank()) {
                    create(statement, sql);
                }
            }
            return true;
        } catch (SQLException e) {
            throw new IllegalStateException("The demo's tables could not be created; see datasources.default", e);
        }
    }

    /**
     * PostgreSQL refuses {@code create table if not exists} to one of two nodes that start together, and only after the
     * other has committed: the second attempt finds the table.
     */
    private static void create(Statement statement, String sql) throws SQLException {
        try {
            statement.execute(sql);
        } catch (SQLException e) {
            statement.execute(sql);
        }
    }

    private String script() {
        try (InputStream in =
                resources.getResourceAsStream("classpath:demo-schema.sql").orElseThrow()) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
