package io.idempotency.jdbc;

import static io.idempotency.jdbc.Calls.LEASE;
import static io.idempotency.jdbc.Calls.RESULT;
import static io.idempotency.jdbc.Calls.RETENTION;
import static io.idempotency.jdbc.Calls.SHORT;
import static io.idempotency.jdbc.Calls.claim;
import static io.idempotency.jdbc.Calls.get;
import static io.idempotency.jdbc.Calls.own;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.idempotency.jdbc.sql.Dialect;
import io.idempotency.runtime.store.AuditNote;
import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.ClaimResult;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.RecordQuery;
import io.idempotency.runtime.store.RecordState;
import io.idempotency.runtime.store.Renewal;
import io.idempotency.runtime.store.Resolution;
import io.idempotency.runtime.store.Settled;
import io.idempotency.runtime.store.StoredArguments;
import io.idempotency.runtime.store.StoredFailure;
import io.idempotency.runtime.store.StoredRecord;
import io.idempotency.runtime.store.UnreadableRecordException;
import io.micronaut.context.ApplicationContext;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A record that this version cannot read or cannot trust is left alone: it is never replayed, and never an absent one. */
@Tag("thorough")
class BrokenRowTest {

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

    @Nested
    class OnPostgresInCompany extends Rows {
        OnPostgresInCompany() {
            super(Place::postgres, PostgresStoreTck.COMBINED);
        }
    }

    @Nested
    @Tag("mariadb")
    class OnMariaDb extends Rows {
        OnMariaDb() {
            super(() -> Place.mariaDb("mariadb"));
        }
    }

    @Nested
    @Tag("mariadb")
    class OnMySql extends Rows {
        OnMySql() {
            super(() -> Place.mySql());
        }
    }

    /** One application for all of them: to start it takes a hundred times as long as a test. */
    @TestInstance(TestInstance.Lifecycle.PER_CLASS)
    abstract static class Rows {

        private final Place here;
        private final ApplicationContext application;
        private final IdempotencyStore store;

        Rows(Supplier<Place> place, Object... properties) {
            here = place.get();
            application = here.application(properties);
            store = InCompany.of(application);
        }

        @BeforeEach
        void empty() {
            here.run("DELETE FROM " + here.table());
        }

        @AfterAll
        void stop() {
            application.close();
        }

        @Test
        void aRecordOfANewerFormatIsNotReleased() {
            Ownership own = own(store, claim("key"));
            set("format_version = 3");
            assertRefused(() -> store.release(own));
        }

        @Test
        void aRecordOfANewerFormatIsNeitherReadNorWrittenNorTakenOver() {
            Ownership own = own(store, claim("key", SHORT, RETENTION, false));
            set("format_version = 3");
            String before = row();
            assertUnreadable(claim("key", LEASE, RETENTION, true));
            assertThatThrownBy(() -> get(store.complete(own, RESULT, RETENTION)))
                    .isInstanceOf(UnreadableRecordException.class);
            assertThatThrownBy(() -> get(store.find(own.id()))).isInstanceOf(UnreadableRecordException.class);
            assertRefused(() -> store.fail(own, new StoredFailure("Declined", null, null), RETENTION));
            assertRefused(() -> store.doubt(own, "lost", RETENTION));
            assertRefused(() ->
                    get(store.renew(List.of(new Renewal(own, LEASE, RETENTION))).get(0)));
            assertRefused(() -> store.release(own));
            assertNotResolved(own.fence());
            assertThat(row()).isEqualTo(before);
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "result = NULL",
                    "result_kind = NULL",
                    "state = 'DONE'",
                    "state = 'FAILED', failure_type = 'a'",
                    "state = 'IN_PROGRESS'",
                    "state = 'IN_DOUBT'",
                    "result_size = 2147483647",
                    "result_size = -1",
                    "result_kind = 'OMITTED', result_omitted = 'too large'",
                    "format_version = 0",
                    "format_version = -7",
                    "checksum = NULL",
                    "checksum = 5",
                    "fingerprint = 'other'",
                    "operation = 'refund'",
                    "retention_ms = 1",
                    "retention_ms = NULL",
                    "expires_at_ms = NULL",
                    "expires_at_ms = 0",
                    "expires_at_ms = 0, retention_ms = NULL",
                    "expires_at_ms = expires_at_ms - 90000000",
                    "settled_at_ms = settled_at_ms - 90000000",
                    "settled_at_ms = NULL"
                })
        void aCompletedRecordThatWasChangedByHandIsNotReplayedAndNotRunAgain(String damage) {
            get(store.complete(own(store, claim("key")), RESULT, RETENTION));
            set("fence = 1"); // young ones are not purged in any case
            set(damage);
            String before = row();
            assertUnreadable(claim("key"));
            assertUnreadable(claim("key", LEASE, RETENTION, true));
            get(store.purge(10));
            assertThat(row()).isEqualTo(before);
        }

        @Test
        void aResultWithAnotherByteIsNotReplayed() {
            get(store.complete(own(store, claim("key")), RESULT, RETENTION));
            set("result = " + bytes("70616966"));
            assertUnreadable(claim("key"));
        }

        @Test
        void argumentsThatAreLargerThanAnyThatAreKeptAreNotRead() {
            own(store, claim("key"));
            int size = StoredArguments.MAX_BYTES + 1;
            set("result = " + bytes("00".repeat(size)) + ", result_size = " + size);
            assertUnreadable(claim("key"));
        }

        private String bytes(String hex) {
            return (here.url().startsWith("jdbc:postgresql") ? "'\\x" : "X'") + hex + "'";
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "failure_message = 'paid twice'",
                    "failure_code = NULL",
                    "failure_type = 'Other'",
                    "expires_at_ms = 0",
                    "state = 'COMPLETED', result_kind = 'OMITTED'"
                })
        void aFailedRecordThatWasChangedByHandIsNotReplayed(String damage) {
            get(store.fail(own(store, claim("key")), new StoredFailure("Declined", "no funds", "402"), RETENTION));
            set(damage);
            assertUnreadable(claim("key", LEASE, RETENTION, true));
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "expires_at_ms = 0",
                    "expires_at_ms = expires_at_ms - 90000000",
                    "expires_at_ms = expires_at_ms + 1",
                    "expires_at_ms = NULL",
                    "retention_ms = 1",
                    "retention_ms = NULL",
                    "expires_at_ms = 0, retention_ms = NULL",
                    "settled_at_ms = 5",
                    "lease_until_ms = 0"
                })
        void anOpenRecordThatWasChangedByHandIsNotRunAgain(String damage) {
            own(store, claim("key"));
            assertLeftAlone(damage);
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "expires_at_ms = 0",
                    "expires_at_ms = expires_at_ms - 90000000",
                    "retention_ms = NULL",
                    "settled_at_ms = settled_at_ms - 90000000",
                    "settled_at_ms = NULL"
                })
        void aRecordInDoubtThatWasChangedByHandIsNotRunAgain(String damage) {
            get(store.doubt(own(store, claim("key")), "lost", RETENTION));
            assertLeftAlone(damage);
        }

        @ParameterizedTest
        @ValueSource(strings = {"expires_at_ms = 0", "retention_ms = 0"})
        void aRecordThatIsKeptForEverIsNotRunAgain(String damage) {
            own(store, claim("key", LEASE, IdempotencyStore.FOREVER, false));
            assertLeftAlone(damage);
        }

        private void assertLeftAlone(String damage) {
            set("fence = 1"); // young ones are not purged in any case
            set(damage);
            String before = row();
            assertUnreadable(claim("key"));
            assertUnreadable(claim("key", LEASE, RETENTION, true));
            assertThatThrownBy(() -> get(store.find(Calls.id("key")))).isInstanceOf(UnreadableRecordException.class);
            assertNotResolved(1);
            get(store.purge(10));
            assertThat(row()).isEqualTo(before);
        }

        private void assertNotResolved(long fence) {
            for (Resolution resolution : List.of(
                    new Resolution.Complete(RESULT, RETENTION),
                    new Resolution.Fail(new StoredFailure("Declined", null, null), RETENTION),
                    new Resolution.Forget())) {
                assertRefused(
                        () -> store.resolve(Calls.id("key"), fence, resolution, new AuditNote("anna", RETENTION)));
            }
        }

        /** Its body ran, and what it says of the outcome is to be believed. */
        @ParameterizedTest
        @ValueSource(strings = {"expires_at_ms = 0", "expires_at_ms = 0, retention_ms = NULL"})
        void theOwnerOfAnOpenRecordWhoseExpiryWasChangedIsStillItsOwner(String damage) {
            List<Function<Ownership, Settled>> verbs = List.of(
                    own -> store.complete(own, RESULT, RETENTION),
                    own -> store.fail(own, new StoredFailure("Declined", null, null), RETENTION),
                    own -> store.doubt(own, "lost", RETENTION),
                    own -> store.renew(List.of(new Renewal(own, LEASE, RETENTION)))
                            .get(0));
            for (Function<Ownership, Settled> verb : verbs) {
                empty();
                Ownership own = own(store, claim("key"));
                set(damage);
                assertThat(get(verb.apply(own))).isInstanceOf(Settled.Applied.class);
                assertThat(get(store.claim(claim("key")))).isInstanceOf(ClaimResult.Duplicate.class);
            }
            empty();
            Ownership own = own(store, claim("key"));
            set(damage);
            assertThat(get(store.release(own))).isInstanceOf(Settled.Applied.class);
            own(store, claim("key"));
        }

        @Test
        void whatIsReleasedRenewedOrTakenOverIsSound() {
            get(store.release(own(store, claim("key"))));
            Ownership own = own(store, claim("key", SHORT, RETENTION, false));
            get(store.renew(List.of(new Renewal(own, SHORT, RETENTION))).get(0));
            await().until(() -> Calls.find(store, "key").orElseThrow().state() == RecordState.IN_DOUBT);
            own = own(store, claim("key", LEASE, RETENTION, true));
            get(store.renew(List.of(new Renewal(own, RETENTION, LEASE))).get(0));
            assertThat(Calls.find(store, "key")).isPresent();
            get(store.doubt(own, "lost", RETENTION));
            own = own(store, claim("key", LEASE, IdempotencyStore.FOREVER, true));
            assertThat(Calls.find(store, "key").orElseThrow().expiresAt()).isNull();
            get(store.doubt(own, "lost", RETENTION));
            get(store.resolve(own.id(), own.fence(), new Resolution.Forget(), new AuditNote("anna", RETENTION)));
            own(store, claim("key"));
        }

        @Test
        void aClaimWhoseOwnerWasChangedIsRefused() {
            own(store, claim("key"));
            set("owner = 'somebody'");
            assertUnreadable(claim("key"));
        }

        @Test
        void anUntouchedRecordIsReplayedAndExpires() {
            get(store.complete(own(store, claim("key")), RESULT, RETENTION));
            assertThat(get(store.claim(claim("key")))).isInstanceOf(ClaimResult.Duplicate.class);
            get(store.complete(own(store, claim("soon")), RESULT, SHORT));
            await().until(() -> Calls.find(store, "soon").isEmpty());
            own(store, claim("soon"));
        }

        @ParameterizedTest
        @ValueSource(ints = {1, 3})
        void aRecordOfAnotherFormatThatIsOverIsAbsent(int format) {
            get(store.complete(own(store, claim("key")), RESULT, RETENTION));
            set("settled_at_ms = 1, expires_at_ms = 1 + retention_ms, format_version = " + format);
            assertThat(Calls.find(store, "key")).isEmpty();
            own(store, claim("key"));
        }

        @Test
        void aRowThatCannotBeReadDoesNotHideTheOthersOfAList() {
            for (String key : new String[] {"a", "b", "c"}) {
                get(store.complete(own(store, claim(key)), RESULT, RETENTION));
            }
            here.run("UPDATE " + here.table() + " SET result_size = 7 WHERE id = '"
                    + Calls.id("a").value() + "'");
            here.run("UPDATE " + here.table() + " SET id = 'no digest' WHERE id = '"
                    + Calls.id("b").value() + "'");
            for (int limit : new int[] {1, 10}) {
                assertThat(get(store.list(
                                new RecordQuery(RecordState.COMPLETED, "charge", Duration.ZERO, null, limit))))
                        .singleElement()
                        .extracting(StoredRecord::id)
                        .isEqualTo(Calls.id("c"));
            }
        }

        private static void assertRefused(ThrowingCallable call) {
            assertThatThrownBy(call).isInstanceOf(UnreadableRecordException.class);
        }

        private void assertUnreadable(Claim claim) {
            assertThatThrownBy(() -> get(store.claim(claim))).isInstanceOf(UnreadableRecordException.class);
        }

        private void set(String change) {
            here.run("UPDATE " + here.table() + " SET " + change + " WHERE operation = 'charge'");
        }

        private String row() {
            return here.ask("SELECT " + Dialect.H2.text("columns") + " FROM " + here.table()
                    + " WHERE attempt > 0 AND operation <> '" + InCompany.OPERATION + "'");
        }
    }
}
