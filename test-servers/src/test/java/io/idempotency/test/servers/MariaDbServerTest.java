package io.idempotency.test.servers;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tagged, because of what it downloads. */
@Tag("thorough")
@Tag("mariadb")
final class MariaDbServerTest extends SqlServerContract {

    @Override
    SqlServer shared() {
        return MariaDbServer.shared();
    }

    @Override
    SqlServer onHost() {
        return MariaDbServer.onHost();
    }

    @Override
    String impatient() {
        return "?socketTimeout=1000";
    }

    @Test
    void settingsReachTheServer() throws SQLException {
        try (MariaDbServer server = MariaDbServer.start("max-connections=20");
                Connection connection = connect(server, "")) {
            assertThat(query(connection, "select @@max_connections")).isEqualTo("20");
        }
    }
}
