package io.idempotency.jdbc;

import static io.idempotency.jdbc.Calls.claim;
import static io.idempotency.jdbc.Calls.store;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idempotency.runtime.store.ClaimResult;
import io.idempotency.runtime.store.IdempotencyStore;
import io.micronaut.context.ApplicationContext;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import org.h2.tools.Server;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server of H2, which may be started again while the application runs. */
@Tag("thorough")
class H2ServerTest {

    @TempDir
    Path directory;

    private Server start(int port) throws SQLException {
        return Server.createTcpServer(
                        "-tcpPort", Integer.toString(port), "-ifNotExists", "-baseDir", directory.toString())
                .start();
    }

    @Test
    void aServerThatIsStartedAgainIsUsedAgain() throws SQLException {
        Server server = start(0);
        Place place = Place.h2("jdbc:h2:tcp://127.0.0.1:" + server.getPort() + "/./records");
        try (ApplicationContext application = place.application()) {
            IdempotencyStore store = store(application);
            assertThat(store.claim(claim("before"))).isInstanceOf(ClaimResult.Acquired.class);
            server.stop();
            server = start(server.getPort());
            await().atMost(Duration.ofMinutes(1))
                    .ignoreExceptions()
                    .until(() -> store.claim(claim("after")) instanceof ClaimResult.Acquired);
            assertThat(store.claim(claim("before"))).isInstanceOf(ClaimResult.Duplicate.class);
        } finally {
            server.stop();
        }
    }
}
