package io.idempotency.test.servers;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

final class PostgresServerTest extends SqlServerContract {

    @Override
    SqlServer shared() {
        return PostgresServer.shared();
    }

    @Override
    SqlServer onHost() {
        return PostgresServer.onHost();
    }

    @Override
    String impatient() {
        return "?socketTimeout=1";
    }

    @Test
    void settingsReachTheServer() throws SQLException {
        try (PostgresServer server = PostgresServer.start("synchronous_commit=off");
                Connection connection = connect(server, "")) {
            assertThat(query(connection, "show synchronous_commit")).isEqualTo("off");
        }
    }
}
