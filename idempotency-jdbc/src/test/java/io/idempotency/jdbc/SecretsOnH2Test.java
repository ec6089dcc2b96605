package io.idempotency.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idempotency.IdempotencyKeyReusedException;
import io.idempotency.IdempotencyStoreUnavailableException;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.RecordState;
import io.micronaut.context.ApplicationContext;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Records whose fingerprints were made under another secret, in one transaction with the body. */
class SecretsOnH2Test {

    private static final String SECRET = "idempotency.fingerprint.secret";
    private static final String OTHERS = "idempotency.fingerprint.other-secrets";
    private static final String FIRST = "the first secret of all";
    private static final String SECOND = "the second secret of all";

    private final Place place = Place.h2();

    private ApplicationContext node(Object... settings) {
        Object[] all = new Object[settings.length + 2];
        all[0] = "test.ledger";
        all[1] = true;
        System.arraycopy(settings, 0, all, 2, settings.length);
        return place.application(all);
    }

    @Test
    void aTransactionMeetsARecordOfAnotherSecret() {
        place.run("CREATE TABLE ledger (entry VARCHAR(100), amount INT)");
        try (ApplicationContext former = node(SECRET, FIRST, OTHERS, List.of(SECOND));
                ApplicationContext next = node(SECRET, SECOND, OTHERS, List.of(FIRST));
                ApplicationContext stranger = node()) {
            Ledger one = former.getBean(Ledger.class);
            Ledger other = next.getBean(Ledger.class);
            String first = one.book("e1", 1);
            assertThat(other.book("e1", 1)).isEqualTo(first);
            String second = other.book("e2", 1);
            assertThat(one.book("e2", 1)).isEqualTo(second);
            assertThatThrownBy(() -> other.book("e1", 2)).isInstanceOf(IdempotencyKeyReusedException.class);
            assertThatThrownBy(() -> stranger.getBean(Ledger.class).book("e1", 1))
                    .isInstanceOf(IdempotencyStoreUnavailableException.class)
                    .hasMessageContaining("the body did not run");
            assertThat(place.ask("SELECT COUNT(*) FROM ledger")).isEqualTo("2");
        }
    }

    @Test
    void aRecordNamesNeitherSecretNorArguments() {
        place.run("CREATE TABLE ledger (entry VARCHAR(100), amount INT)");
        try (ApplicationContext node = node(SECRET, FIRST)) {
            node.getBean(Ledger.class).book("e1", 1);
            IdempotencyStore store = Calls.store(node);
            assertThat(Calls.get(store.list(RecordState.COMPLETED, Duration.ZERO, 10)))
                    .singleElement()
                    .satisfies(record -> assertThat(record.fingerprint()).matches("1\\.[0-9a-f]{8}:[0-9a-f]{64}"));
        }
    }
}
