package io.idempotency.jdbc;

import io.idempotency.jdbc.connection.CommandTimeout;
import io.idempotency.jdbc.connection.ConnectionSource;
import io.idempotency.jdbc.connection.OwnConnections;
import io.idempotency.jdbc.connection.SettledNotifications;
import io.micronaut.context.ApplicationContext;
import io.micronaut.data.connection.jdbc.advice.DelegatingDataSource;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;

/**
 * Connections of nobody's pool.
 *
 * @param place where to
 */
record Unpooled(Place place) implements ConnectionSource {

    /** Listens as the application does; what other nodes say is said elsewhere. */
    static SettledNotifications notifications(
            ApplicationContext application, Place listening, Place saying, Duration idle) {
        OwnConnections own = new OwnConnections(
                "default",
                DelegatingDataSource.unwrapDataSource(application.getBean(DataSource.class)),
                null,
                new CommandTimeout(Duration.ofSeconds(10)),
                4);
        return new SettledNotifications(
                own, new Unpooled(saying), new CommandTimeout(Duration.ofSeconds(10)), listening.table(), idle);
    }

    @Override
    public <T> T lend(CommandTimeout within, Work<T> work) throws SQLException {
        try (var connection = DriverManager.getConnection(place.url(), place.user(), place.password())) {
            return work.on(connection);
        }
    }
}
