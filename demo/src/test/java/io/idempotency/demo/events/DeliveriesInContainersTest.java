package io.idempotency.demo.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idempotency.IdempotencyStoreUnavailableException;
import io.idempotency.test.FaultyStore.Call;
import io.idempotency.test.IdempotencyTest;
import io.idempotency.test.IdempotencyTestKit;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import io.micronaut.test.support.TestPropertyProvider;
import jakarta.inject.Inject;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.condition.EnabledIf;
import org.testcontainers.postgresql.PostgreSQLContainer;

@EnabledIf(
        value = "io.idempotency.test.servers.Docker#usable",
        disabledReason = "docs/testing.md's example with Testcontainers was NOT run: there is no Docker here.")
// tag::containers[]
@MicronautTest(transactional = false)
@IdempotencyTest
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DeliveriesInContainersTest implements TestPropertyProvider {

    static final PostgreSQLContainer POSTGRES = new PostgreSQLContainer("postgres:17");

    @Override
    public Map<String, String> getProperties() {
        POSTGRES.start();
        return Map.of(
                "datasources.default.url", POSTGRES.getJdbcUrl(),
                "datasources.default.username", POSTGRES.getUsername(),
                "datasources.default.password", POSTGRES.getPassword(),
                "idempotency.store", "jdbc",
                "idempotency.jdbc.schema", "create");
    }
    // end::containers[]

    @Inject
    Deliveries deliveries;

    @Inject
    IdempotencyTestKit kit;

    @Test
    void aMessageThatCameWhileTheStoreWasAwayIsHandledOnceWhenItIsBack() {
        Event message = new Event("container-1", "order.paid", null);
        kit.store().refuse(Call.CLAIM);
        assertThatThrownBy(() -> deliveries.onMessage(message))
                .isInstanceOf(IdempotencyStoreUnavailableException.class);
        assertThat(kit.calls("handle-event")).neverRan();

        kit.store().mend();
        kit.atOnce(10, () -> deliveries.onMessage(message));

        assertThat(kit.calls("handle-event")).ranOnce();
    }
}
