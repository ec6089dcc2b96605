package io.idempotency.demo;

import io.micronaut.context.event.ApplicationEventListener;
import io.micronaut.context.event.StartupEvent;
import io.micronaut.core.annotation.Order;
import io.micronaut.core.io.ResourceLoader;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/** Creates the demo's own tables. A real service would use a migration tool. */
@Singleton
@Order(-1)
final class Schema implements ApplicationEventListener<StartupEvent> {

    private final DataSource dataSource;
    private final ResourceLoader resources;

    Schema(DataSource dataSource, ResourceLoader resources) {
        this.dataSource = dataSource;
        this.resources = resources;
    }

    @Override
    public void onApplicationEvent(StartupEvent event) {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            for (String sql : script().split(";")) {
                if (!sql.isBlank()) {
                    statement.execute(sql);
                }
            }
        } catch (SQLException e) {
            throw new IllegalStateException("The demo's tables could not be created; see datasources.default", e);
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
