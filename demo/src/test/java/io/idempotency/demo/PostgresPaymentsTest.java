package io.idempotency.demo;

import io.idempotency.test.servers.PostgresServer;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import io.micronaut.test.support.TestPropertyProvider;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;

/** Keys and payments in PostgreSQL. */
@Tag("thorough")
@MicronautTest(transactional = false, environments = "postgres")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PostgresPaymentsTest extends PaymentScenarios implements TestPropertyProvider {

    @Override
    public Map<String, String> getProperties() {
        PostgresServer server = PostgresServer.shared();
        return Map.of(
                "datasources.default.url", server.url(),
                "datasources.default.username", server.user(),
                "datasources.default.password", server.password());
    }
}
