package io.idempotency.test.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;

/** What every database server for tests does. */
abstract class SqlServerContract {

    abstract SqlServer shared();

    abstract SqlServer onHost();

    /** The URL's parameters that make a connection give up after a second. */
    abstract String impatient();

    @Test
    void sharedServerIsOneAndServes() throws SQLException {
        assertThat(shared()).isSameAs(shared());
        try (Connection connection = connect(shared(), "")) {
            assertThat(query(connection, "select 1")).isEqualTo("1");
        }
    }

    @Test
    void pausedServerAnswersAfterwardsEvenOnOpenConnections() throws SQLException {
        try (SqlServer server = onHost();
                Connection patient = connect(server, "");
                Connection impatient = connect(server, impatient())) {
            server.pause();
            assertThatThrownBy(() -> query(impatient, "select 1")).isInstanceOf(SQLException.class);
            server.resume();
            assertThat(query(patient, "select 2")).isEqualTo("2");
        }
    }

    @Test
    void killedServerIsGoneAndRestartsWithEverythingCommitted() throws SQLException {
        try (SqlServer server = onHost()) {
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

    static Connection connect(SqlServer server, String options) throws SQLException {
        return DriverManager.getConnection(server.url() + options, server.user(), server.password());
    }

    static String query(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            assertThat(result.next()).isTrue();
            return result.getString(1);
        }
    }
}
