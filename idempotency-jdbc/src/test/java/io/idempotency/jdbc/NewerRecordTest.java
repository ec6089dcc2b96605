package io.idempotency.jdbc;

import static io.idempotency.jdbc.Calls.LEASE;
import static io.idempotency.jdbc.Calls.RETENTION;
import static io.idempotency.jdbc.Calls.SHORT;
import static io.idempotency.jdbc.Calls.claim;
import static io.idempotency.jdbc.Calls.get;
import static io.idempotency.jdbc.Calls.own;
import static io.idempotency.jdbc.Calls.store;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.UnreadableRecordException;
import io.micronaut.context.ApplicationContext;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A record that this version cannot read is left alone, and is never an absent one. */
class NewerRecordTest {

    static Stream<Named<Supplier<Place>>> places() {
        return Stream.of(Named.of("H2", Place::h2), Named.of("PostgreSQL", Place::postgres));
    }

    @ParameterizedTest
    @MethodSource("places")
    void aRecordOfANewerFormatIsNeitherReadNorWrittenNorTakenOver(Supplier<Place> place) {
        Place here = place.get();
        try (ApplicationContext application = here.application()) {
            IdempotencyStore store = store(application);
            Ownership own = own(store, claim("key", SHORT, RETENTION, false));
            set(here, "format_version = 2");
            String before = row(here);
            assertThatThrownBy(() -> get(store.claim(claim("key", LEASE, RETENTION, true))))
                    .hasCauseInstanceOf(UnreadableRecordException.class);
            assertThatThrownBy(() -> get(store.complete(own, Calls.RESULT, RETENTION)))
                    .hasCauseInstanceOf(UnreadableRecordException.class);
            assertThatThrownBy(() -> get(store.find(own.id()))).hasCauseInstanceOf(UnreadableRecordException.class);
            assertThat(row(here)).isEqualTo(before);
        }
    }

    @ParameterizedTest
    @MethodSource("places")
    void aRecordThatWasChangedByHandIsNotReplayed(Supplier<Place> place) {
        Place here = place.get();
        try (ApplicationContext application = here.application()) {
            IdempotencyStore store = store(application);
            get(store.complete(own(store, claim("key")), Calls.RESULT, RETENTION));
            for (String damage : new String[] {"result = NULL", "result_kind = NULL", "state = 'DONE'"}) {
                set(here, damage);
                assertThatThrownBy(() -> get(store.claim(claim("key"))))
                        .as(damage)
                        .hasCauseInstanceOf(UnreadableRecordException.class);
            }
        }
    }

    private static void set(Place place, String change) {
        place.run("UPDATE " + place.table() + " SET " + change);
    }

    private static String row(Place place) {
        return place.ask("SELECT " + Statements.COLUMNS + " FROM " + place.table());
    }
}
