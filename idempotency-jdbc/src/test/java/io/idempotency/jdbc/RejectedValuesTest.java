package io.idempotency.jdbc;

import static io.idempotency.jdbc.Calls.RETENTION;
import static io.idempotency.jdbc.Calls.claim;
import static io.idempotency.jdbc.Calls.get;
import static io.idempotency.jdbc.Calls.own;
import static io.idempotency.jdbc.Calls.store;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idempotency.runtime.store.AuditNote;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.Resolution;
import io.idempotency.runtime.store.ResultRejectedException;
import io.idempotency.runtime.store.Settled;
import io.idempotency.runtime.store.StoredFailure;
import io.idempotency.runtime.store.StoredResult;
import io.micronaut.context.ApplicationContext;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a database can never store is told as that: repeated, it would be rejected again. */
class RejectedValuesTest {

    static Stream<Supplier<Place>> places() {
        return Stream.of(Place::h2, Place::postgres);
    }

    @ParameterizedTest
    @MethodSource("places")
    void aResultThatIsFoundLater(Supplier<Place> places) {
        Place place = places.get();
        try (ApplicationContext application = place.application()) {
            IdempotencyStore store = store(application);
            Ownership own = own(store, claim("key"));
            get(store.doubt(own, "lost", RETENTION));
            place.limitResults(10);
            Resolution found = new Resolution.Complete(new StoredResult.Present(new byte[20]), RETENTION);
            assertThatThrownBy(
                            () -> store.resolve(own.id(), own.fence(), found, new AuditNote("reconciled", RETENTION)))
                    .isInstanceOf(ResultRejectedException.class);
        }
    }

    @Test
    void aFailureWithACharacterThatTheDatabaseDoesNotKnow() {
        Place admin = Place.postgres();
        String database = Place.fresh();
        admin.run("CREATE DATABASE " + database + " ENCODING 'LATIN1' TEMPLATE template0 LC_COLLATE 'C' LC_CTYPE 'C'");
        Place place = new Place(
                admin.url().replaceFirst("/[^/]+$", "/" + database), admin.user(), admin.password(), admin.table());
        try (ApplicationContext application = place.application()) {
            IdempotencyStore store = store(application);
            Ownership own = own(store, claim("key"));
            StoredFailure failure = new StoredFailure("Declined", "5 \u20ac fehlen", null);
            assertThatThrownBy(() -> store.fail(own, failure, RETENTION)).isInstanceOf(ResultRejectedException.class);
            assertThat(store.fail(own, failure.erased(), RETENTION)).isEqualTo(new Settled.Applied());
        }
    }

    /** Its column holds every result, so only a constraint of the user's own does this. */
    @Test
    void aResultOfATransactionalCallRollsEverythingBackOnPostgresql() {
        Place place = Place.postgres();
        try (ApplicationContext application = TransactionalOperationTest.ledger(place)) {
            Ledger ledger = application.getBean(Ledger.class);
            String entry = Place.fresh();
            place.limitResults(10);
            assertThatThrownBy(() -> ledger.book(entry, 5)).hasStackTraceContaining("transaction is aborted");
            assertThat(place.ask("SELECT count(*) FROM ledger WHERE entry = '" + entry + "'"))
                    .isEqualTo("0");
        }
    }
}
