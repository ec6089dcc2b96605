package io.idempotency.jdbc;

import static io.idempotency.jdbc.Calls.RESULT;
import static io.idempotency.jdbc.Calls.RETENTION;
import static io.idempotency.jdbc.Calls.claim;
import static io.idempotency.jdbc.Calls.get;
import static io.idempotency.jdbc.Calls.own;
import static io.idempotency.jdbc.Calls.store;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.idempotency.OperationInProgressException;
import io.idempotency.jdbc.connection.JdbcStoreException;
import io.idempotency.runtime.store.ClaimResult;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.RecordState;
import io.idempotency.runtime.store.Renewal;
import io.idempotency.runtime.store.Settled;
import io.idempotency.runtime.store.StoredRecord;
import io.micronaut.context.ApplicationContext;
import java.util.List;

/** A server whose disk is full: an outcome that finds no room is a failure of the store, and never frees its key. */
final class FullServer {

    private final Place place;
    private final String fill;
    private final String makeRoom;

    /**
     * Knows a server.
     *
     * @param place where
     * @param fill makes every change of a record fail as on a full disk
     * @param makeRoom ends that
     */
    FullServer(Place place, String fill, String makeRoom) {
        this.place = place;
        this.fill = fill;
        this.makeRoom = makeRoom;
    }

    void everyVerbFailsAndTheRecordStaysItsOwners() {
        try (ApplicationContext application = place.application()) {
            IdempotencyStore store = store(application);
            Ownership own = own(store, claim("key"));
            place.run(fill);
            try {
                assertThatThrownBy(() -> get(store.complete(own, RESULT, RETENTION)))
                        .isInstanceOf(JdbcStoreException.class);
                assertThatThrownBy(() -> get(store.renew(List.of(new Renewal(own, Calls.LEASE, RETENTION)))
                                .get(0)))
                        .isInstanceOf(JdbcStoreException.class);
                assertThatThrownBy(() -> get(store.doubt(own, "unknown", RETENTION)))
                        .isInstanceOf(JdbcStoreException.class);
                assertThatThrownBy(() -> get(store.release(own))).isInstanceOf(JdbcStoreException.class);
                assertThat(get(store.claim(claim("key")))).isInstanceOf(ClaimResult.Duplicate.class);
                assertThat(Calls.find(store, "key"))
                        .get()
                        .extracting(StoredRecord::state)
                        .isEqualTo(RecordState.IN_PROGRESS);
            } finally {
                place.run(makeRoom);
            }
            assertThat(get(store.complete(own, RESULT, RETENTION))).isInstanceOf(Settled.Applied.class);
        }
    }

    void theOutcomeIsRecordedOnceThereIsRoomAndTheBodyRunsOnce() {
        try (ApplicationContext application =
                place.application("test.charges", true, "idempotency.settle-budget", "100ms")) {
            Charges charges = application.getBean(Charges.class);
            store(application);
            place.run(fill);
            try {
                charges.charge("order");
                assertThatThrownBy(() -> charges.charge("order")).isInstanceOf(OperationInProgressException.class);
            } finally {
                place.run(makeRoom);
            }
            await().ignoreException(OperationInProgressException.class)
                    .untilAsserted(() -> assertThat(charges.charge("order")).isEqualTo(1));
            assertThat(charges.bodies).hasValue(1);
        }
    }
}
