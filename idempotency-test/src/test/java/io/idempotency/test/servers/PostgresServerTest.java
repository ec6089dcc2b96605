package io.idempotency.test.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;

final class PostgresServerTest {

    @Test
    void sharedServerIsOneAndServes() throws SQLException {
        assertThat(PostgresServer.shared()).isSameAs(PostgresServer.shared());
        try (Connection connection = connect(PostgresServer.shared(), "")) {
            assertThat(query(connection, "select 1")).isEqualTo("1");
        }
    }

    @Test
    void settingsReachTheServer() throws SQLException {
        try (PostgresServer server = PostgresServer.start("synchronous_commit=off");
                Connection connection = connect(server, "")) {
            assertThat(query(connection, "show synchronous_commit")).isEqualTo("off");
        }
    }

    @Test
    void pausedServerAnswersAfterwardsEvenOnOpenConnections() throws SQLException {
        try (PostgresServer server = PostgresServer.onHost();
                Connection patient = connect(server, "");
                Connection impatient = connect(server, "?socketTimeout=1")) {
            server.pause();
            assertThatThrownBy(() -> query(impatient, "select 1")).isInstanceOf(SQLException.class);
            server.resume();
            assertThat(query(patient, "select 2")).isEqualTo("2");
        }
    }

    @Test
    void killedServerIsGoneAndRestartsWithEverythingCommitted() throws SQLException {
        try (PostgresServer server = PostgresServer.onHost()) {
            try (Connection connection = connect(server, "");
                    Statement statement = connection.createStatement()) {
                statement.execute("create table kept as select 42 as answer");
                server.kill();
                assertThatThrownBy(() -> connect(server, "")).isInstanceOf(SQLException.class);
                assertThatThrownBy(() -> query(connection, "select 1")).isInstanceOf(SQLException.class);
            }
            server.restart();
            try (Connection connection = connect(server, "")) {
                assertThat(query(connection, "select answer from kept")).isEqualTo("42");
            }
        }
    }

    private static Connection connect(PostgresServer server, String options) throws SQLException {
        return DriverManager.getConnection(server.url() + options, server.user(), server.password());
    }

    private static String query(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            assertThat(result.next()).isTrue();
            return result.getString(1);
        }
    }
}
