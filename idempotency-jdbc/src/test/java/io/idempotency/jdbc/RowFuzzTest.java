package io.idempotency.jdbc;

import static io.idempotency.jdbc.Calls.LEASE;
import static io.idempotency.jdbc.Calls.RESULT;
import static io.idempotency.jdbc.Calls.RETENTION;
import static io.idempotency.jdbc.Calls.claim;
import static io.idempotency.jdbc.Calls.own;
import static io.idempotency.jdbc.Calls.store;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idempotency.jdbc.connection.JdbcStoreException;
import io.idempotency.runtime.store.AuditNote;
import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.ClaimResult;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.IdempotencyStore.ClaimsRefusedException;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.RecordState;
import io.idempotency.runtime.store.Renewal;
import io.idempotency.runtime.store.Resolution;
import io.idempotency.runtime.store.StoredArguments;
import io.idempotency.runtime.store.StoredFailure;
import io.idempotency.runtime.store.StoredRecord;
import io.idempotency.runtime.store.UnreadableRecordException;
import io.idempotency.test.fuzz.Fuzz;
import io.idempotency.test.fuzz.Input;
import io.micronaut.context.ApplicationContext;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A row with anything in one of its columns is read as it was, or refused as one that cannot be read. */
@Tag("thorough")
class RowFuzzTest {

    private static final StoredFailure DECLINED = new StoredFailure("Declined", "no funds", "402");
    private static final AuditNote NOTE = new AuditNote("anna: looked it up", RETENTION);

    private static final List<String> TEXTS = List.of(
            "operation",
            "fingerprint",
            "state",
            "owner",
            "result_kind",
            "result_omitted",
            "failure_type",
            "failure_message",
            "failure_code",
            "doubt");
    private static final List<String> NUMBERS = List.of(
            "fence",
            "attempt",
            "claimed_at_ms",
            "lease_until_ms",
            "settled_at_ms",
            "expires_at_ms",
            "result_size",
            "format_version",
            "retention_ms",
            "checksum");

    @Nested
    class OnH2 extends Rows {
        OnH2() {
            super(Place::h2);
        }
    }

    @Nested
    class OnPostgres extends Rows {
        OnPostgres() {
            super(Place::postgres);
        }
    }

    @TestInstance(TestInstance.Lifecycle.PER_CLASS)
    abstract static class Rows {

        private final Place here;
        private final ApplicationContext application;
        private final IdempotencyStore store;

        Rows(Supplier<Place> place) {
            here = place.get();
            application = here.application();
            store = store(application);
        }

        @AfterAll
        void stop() {
            application.close();
        }

        @Test
        void aColumnWithAnythingInItIsReadAsItWasOrRefused() {
            Fuzz.inputs(60, input -> {
                here.run("DELETE FROM " + here.table());
                Ownership own = own(store, claimed(input));
                settle(input, own);
                StoredRecord before = store.find(own.id()).orElseThrow();
                change(input);
                for (Consumer<Ownership> read : List.<Consumer<Ownership>>of(
                        it -> assertKnown(before, store.claim(claim("key"))),
                        it -> assertSame(before, store.find(it.id())),
                        it -> store.list(before.state(), Duration.ZERO, 10),
                        it -> store.purge(10),
                        it -> assertKnown(before, store.claim(claim("key"))))) {
                    readOrRefused(() -> read.accept(own));
                }
                Consumer<Ownership> verb = input.one(verbs());
                readOrRefused(() -> changedOrRefused(() -> verb.accept(own)));
            });
        }

        /** Found by {@link #aColumnWithAnythingInItIsReadAsItWasOrRefused}. */
        @ParameterizedTest
        @ValueSource(strings = {"settled_at_ms", "expires_at_ms"})
        void aTimeBeforeAllOthersIsRefused(String column) {
            here.run("DELETE FROM " + here.table());
            Ownership own = own(store, claim("key"));
            store.complete(own, RESULT, RETENTION);
            here.run(
                    "UPDATE " + here.table() + " SET " + column + " = -9223372036854775807 WHERE operation = 'charge'");
            assertThatThrownBy(() -> store.claim(claim("key"))).isInstanceOf(UnreadableRecordException.class);
            assertThatThrownBy(() -> store.find(own.id())).isInstanceOf(UnreadableRecordException.class);
        }

        private static Claim claimed(Input input) {
            Claim claim = claim("key");
            return new Claim(
                    claim.id(),
                    claim.operation(),
                    claim.fingerprint(),
                    claim.owner(),
                    LEASE,
                    RETENTION,
                    false,
                    input.oneIn(2) ? null : new StoredArguments(input.bytes(40)));
        }

        private void settle(Input input, Ownership own) {
            switch (input.below(4)) {
                case 0 -> store.complete(own, RESULT, RETENTION);
                case 1 -> store.fail(own, DECLINED, RETENTION);
                case 2 -> store.doubt(own, "lost", RETENTION);
                default -> {} // stays in progress
            }
        }

        private void change(Input input) throws SQLException {
            boolean text = input.oneIn(2);
            String column = input.oneIn(6) ? "result" : input.one(text ? TEXTS : NUMBERS);
            Object value = input.oneIn(8) ? null : value(input, column, text);
            try (Connection connection = DriverManager.getConnection(here.url(), here.user(), here.password());
                    PreparedStatement update = connection.prepareStatement(
                            "UPDATE " + here.table() + " SET " + column + " = ? WHERE operation = 'charge'")) {
                update.setObject(1, value);
                update.executeUpdate();
            } catch (SQLException e) {
                if (!e.getSQLState().startsWith("22") && !e.getSQLState().startsWith("23")) {
                    throw e; // else the column refuses it, and the row is as it was
                }
            }
        }

        private static Object value(Input input, String column, boolean text) {
            if (column.equals("result")) {
                return input.bytes(40);
            }
            if (column.equals("state")) {
                return input.one("IN_PROGRESS", "IN_DOUBT", "COMPLETED", "FAILED", "completed", "");
            }
            return text ? input.text(30) : (Object) input.number();
        }

        private List<Consumer<Ownership>> verbs() {
            return List.of(
                    own -> store.complete(own, RESULT, RETENTION),
                    own -> store.fail(own, DECLINED, RETENTION),
                    own -> store.doubt(own, "lost", RETENTION),
                    own -> store.release(own),
                    own -> store.renew(List.of(new Renewal(own, LEASE, RETENTION))),
                    own -> store.resolve(own.id(), own.fence(), new Resolution.Complete(RESULT, RETENTION), NOTE),
                    own -> store.resolve(own.id(), own.fence(), new Resolution.Forget(), NOTE),
                    own -> store.erase(own.id(), NOTE),
                    own -> store.claim(claim("key", LEASE, RETENTION, true)));
        }

        private static void assertKnown(StoredRecord before, ClaimResult claimed) {
            assertThat(claimed).isInstanceOf(ClaimResult.Duplicate.class);
            assertSame(before, Optional.of(((ClaimResult.Duplicate) claimed).record()));
        }

        private static void assertSame(StoredRecord before, Optional<StoredRecord> found) {
            StoredRecord record = found.orElseThrow();
            if (before.hasOutcome()) {
                assertThat(record.state()).isEqualTo(before.state());
            } else {
                assertThat(record.state()).isIn(RecordState.IN_PROGRESS, RecordState.IN_DOUBT);
            }
            assertThat(record.result()).isEqualTo(before.result());
            assertThat(record.failure()).isEqualTo(before.failure());
            assertThat(record.fingerprint()).isEqualTo(before.fingerprint());
        }
    }

    /** The database cannot count on from the largest number; and a claim finds a row that it cannot read to be changing all the time. */
    private static void changedOrRefused(Runnable verb) {
        try {
            verb.run();
        } catch (JdbcStoreException | ClaimsRefusedException refused) {
            assertThat(refused).hasMessageMatching("(?s).*(22003|did not run).*");
        }
    }

    private static void readOrRefused(Runnable verb) {
        try {
            verb.run();
        } catch (UnreadableRecordException refused) {
            assertThat(refused.problem()).isNotEmpty();
        }
    }
}
