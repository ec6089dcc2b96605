package io.idempotency.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idempotency.Refusal;
import io.micronaut.context.ApplicationContext;
import org.junit.jupiter.api.Test;

/** Limits of new keys where record and body share a transaction. */
class TransactionalLimitTest {

    @Test
    void aNewKeyBeyondTheLimitWritesNothing() {
        Place place = Place.h2();
        place.run("CREATE TABLE ledger (entry VARCHAR(100), amount INT)");
        try (ApplicationContext node = place.application("test.ledger", true, "idempotency.max-new-keys", 2)) {
            Ledger ledger = node.getBean(Ledger.class);
            String first = ledger.book("e1", 1);
            ledger.book("e2", 1);
            assertThatThrownBy(() -> ledger.book("e3", 1))
                    .hasFieldOrPropertyWithValue("refusal", Refusal.TOO_MANY_RECORDS)
                    .hasMessageContaining("the body did not run");
            assertThat(ledger.book("e1", 1)).isEqualTo(first);
            assertThat(place.ask("SELECT COUNT(*) FROM ledger")).isEqualTo("2");
        }
    }
}
