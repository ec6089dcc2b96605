package io.idempotency.jdbc;

import static io.idempotency.jdbc.Calls.claim;
import static io.idempotency.jdbc.Calls.get;
import static io.idempotency.jdbc.Calls.store;
import static io.idempotency.jdbc.Calls.transactions;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idempotency.runtime.store.ClaimResult;
import io.idempotency.runtime.store.IdempotencyStore;
import io.micronaut.context.ApplicationContext;
import org.junit.jupiter.api.Test;

/** The store has a data source of its own beside those of the application. */
class SeveralDataSourcesTest {

    private final Place ledger = Place.postgres();
    private final Place business = Place.h2();

    @Test
    void recordsGoToTheDataSourceThatIsNamed() {
        try (ApplicationContext application = application()) {
            assertThat(get(store(application).claim(claim("key")))).isInstanceOf(ClaimResult.Acquired.class);
            assertThat(ledger.ask("SELECT count(*) FROM " + ledger.table() + " WHERE attempt > 0"))
                    .isEqualTo("1");
            assertThatThrownBy(() -> business.ask("SELECT count(*) FROM " + ledger.table()))
                    .as("nothing is made in the default data source")
                    .hasMessageContaining(ledger.table());
        }
    }

    @Test
    void aTransactionOnAnotherDataSourceHasNothingToDoWithThem() {
        try (ApplicationContext application = application()) {
            IdempotencyStore store = store(application);
            assertThatThrownBy(() -> transactions(application).executeWrite(status -> {
                        assertThat(get(store.claim(claim("key")))).isInstanceOf(ClaimResult.Acquired.class);
                        throw new IllegalStateException("the caller rolls back");
                    }))
                    .hasMessage("the caller rolls back");
            assertThat(Calls.find(store, "key")).isPresent();
        }
    }

    private ApplicationContext application() {
        return business.application(
                "idempotency.jdbc.datasource", "ledger",
                "idempotency.jdbc.table", ledger.table(),
                "datasources.ledger.url", ledger.url(),
                "datasources.ledger.username", ledger.user(),
                "datasources.ledger.password", ledger.password(),
                "datasources.ledger.maximum-pool-size", 1);
    }
}
