package io.idempotency.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idempotency.runtime.store.AuditNote;
import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.RecordId;
import io.idempotency.runtime.store.RecordQuery;
import io.idempotency.runtime.store.RecordState;
import io.idempotency.runtime.store.Resolution;
import io.idempotency.runtime.store.StoredArguments;
import io.idempotency.runtime.store.StoredFailure;
import io.idempotency.runtime.store.StoredRecord;
import io.idempotency.runtime.store.StoredResult;
import io.idempotency.test.IdempotencyStoreTck;
import io.micronaut.context.ApplicationContext;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The store contract, through an application whose JDBC store is in the given place. */
@Execution(ExecutionMode.CONCURRENT)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class JdbcStoreTck extends IdempotencyStoreTck {

    private final Place place;
    private final String clock;
    private final ApplicationContext application;
    private final IdempotencyStore store;

    /**
     * Starts the application.
     *
     * @param place where
     * @param clock the database's time in milliseconds since the epoch, in its own words
     * @param properties of the application, by name and value
     */
    JdbcStoreTck(Place place, String clock, Object... properties) {
        this.place = place;
        this.clock = clock;
        Supplier<ApplicationContext> started = () ->
                place.application(properties.length > 0 ? properties : new Object[] {"idempotency.jdbc.pool-size", 16});
        this.application = MutatedStatements.wanted() ? MutatedStatements.shared(place, started) : started.get();
        this.store = InCompany.of(application);
    }

    @AfterAll
    void stop() {
        if (!MutatedStatements.wanted()) {
            application.close();
        }
    }

    @Override
    protected final IdempotencyStore store() {
        return store;
    }

    @Override
    protected final Instant storeTime() {
        return Instant.ofEpochMilli(Long.parseLong(place.ask("SELECT " + clock)));
    }

    @Override
    protected final void raiseFence(RecordId id, long fence) {
        place.run("UPDATE " + place.table() + " SET fence = " + fence + " WHERE id = '" + id.value() + "'");
    }

    @Override
    protected final void moveLease(RecordId id, Duration by) {
        place.run("UPDATE " + place.table() + " SET lease_until_ms = lease_until_ms + " + by.toMillis()
                + ", expires_at_ms = expires_at_ms + " + by.toMillis() + " WHERE id = '" + id.value() + "'");
    }

    @Override
    protected final void limitResults(int bytes) {
        place.limitResults(bytes);
    }

    private boolean there(RecordId id) {
        return place.ask("SELECT COUNT(*) FROM " + place.table() + " WHERE id = '" + id.value() + "'")
                .equals("1");
    }

    private Ownership owned(String key, Duration retention) {
        Claim claim = Calls.claim(key + UUID.randomUUID(), Calls.LEASE, retention, false);
        return Calls.own(store(), claim);
    }

    private Ownership completed(String key, Duration retention, boolean old) {
        Ownership ownership = owned(key, Calls.RETENTION);
        Calls.get(store().complete(ownership, Calls.RESULT, retention));
        if (old) {
            raiseFence(ownership.id(), 1);
        }
        return ownership;
    }

    private Ownership audited(String key, Duration trail) {
        Ownership ownership = owned(key, Calls.RETENTION);
        Calls.get(store().doubt(ownership, "lost", Calls.RETENTION));
        Calls.get(store().resolve(
                        ownership.id(), ownership.fence(), new Resolution.Forget(), new AuditNote("anna", trail)));
        raiseFence(ownership.id(), 1);
        return ownership;
    }

    @Test
    @ResourceLock(STORE)
    void purgeRemovesWhatIsOverItsFenceOldAndItsTrailNotKept() {
        List<Ownership> over = List.of(completed("over", Calls.SHORT, true), audited("trail over", Calls.SHORT));
        List<Ownership> stay = List.of(
                completed("young fence", Calls.SHORT, false),
                completed("live", Calls.RETENTION, true),
                audited("trail", Calls.RETENTION));
        Ownership open = owned("open", Calls.RETENTION);
        raiseFence(open.id(), 1);
        moveLease(
                open.id(), Calls.RETENTION.multipliedBy(-2)); // MySQL finds no claim that is over before it has read it
        await().until(() -> Calls.get(store().find(over.get(0).id())).isEmpty()
                && Calls.get(store().audit(over.get(1).id())).isEmpty()
                && Calls.get(store().find(open.id())).isEmpty());
        while (Calls.get(store().purge(10_000)) > 0) {}
        assertThat(over).noneMatch(record -> there(record.id()));
        assertThat(stay).allMatch(record -> there(record.id()));
        assertThat(there(open.id())).isFalse();
    }

    /** Every other one in doubt is so because its lease is over. */
    @ParameterizedTest
    @EnumSource
    @ResourceLock(value = STORE, mode = ResourceAccessMode.READ)
    void pagesGoOnAmongRecordsOfOneMillisecond(RecordState state) {
        String operation = "page-" + UUID.randomUUID();
        Set<RecordId> own = new HashSet<>();
        for (int i = 0; i < 8; i++) {
            RecordId id = owned("page", Calls.RETENTION).id();
            own.add(id);
            boolean over = state == RecordState.IN_DOUBT && i % 2 == 0;
            boolean running = state == RecordState.IN_PROGRESS || over;
            place.run("UPDATE " + place.table() + " SET claimed_at_ms = 7, operation = '" + operation
                    + "', format_version = 1, result_kind = 'OMITTED', result_size = 1, failure_type = 'a', state = '"
                    + (running ? RecordState.IN_PROGRESS : state) + "', settled_at_ms = " + (running ? "NULL" : "8")
                    + (over ? ", lease_until_ms = 8" : "") + " WHERE id = '" + id.value() + "'");
        }
        RecordQuery.Position after = null;
        for (int page = 0; page < 4; page++) {
            List<StoredRecord> listed =
                    Calls.get(store().list(new RecordQuery(state, operation, Duration.ZERO, after, 3)));
            assertThat(listed).hasSize(page < 2 ? 3 : page == 2 ? 2 : 0);
            for (StoredRecord record : listed) {
                assertThat(own.remove(record.id())).isTrue();
                after = RecordQuery.Position.of(record);
            }
        }
    }

    /** How a row comes to have no result. */
    enum WithoutResult {
        RELEASED,
        FAILED,
        FORGOTTEN,
        RESOLVED_AS_FAILED
    }

    @ParameterizedTest
    @EnumSource
    @ResourceLock(value = STORE, mode = ResourceAccessMode.READ)
    void rowWithoutAResultKeepsNoArguments(WithoutResult how) {
        Claim plain = Calls.claim(UUID.randomUUID().toString());
        Claim claim = new Claim(
                plain.id(),
                plain.operation(),
                plain.fingerprint(),
                plain.owner(),
                plain.lease(),
                plain.retention(),
                false,
                new StoredArguments(new byte[] {1}));
        Ownership own = Calls.own(store(), claim);
        StoredFailure failure = new StoredFailure("Declined", null, null);
        switch (how) {
            case RELEASED -> Calls.get(store().release(own));
            case FAILED -> Calls.get(store().fail(own, failure, Calls.RETENTION));
            case FORGOTTEN -> resolve(own, new Resolution.Forget());
            case RESOLVED_AS_FAILED -> resolve(own, new Resolution.Fail(failure, Calls.RETENTION));
        }
        assertThat(place.ask("SELECT COUNT(result), COUNT(result_size) FROM " + place.table() + " WHERE id = '"
                        + claim.id().value() + "'"))
                .isEqualTo("0|0");
    }

    @Test
    @ResourceLock(value = STORE, mode = ResourceAccessMode.READ)
    void rowThatIsClaimedAgainKeepsNothingOfTheFormerOutcome() {
        for (boolean fails : new boolean[] {true, false}) {
            Claim claim = Calls.claim(UUID.randomUUID().toString());
            Ownership own = Calls.own(store(), claim);
            Calls.get(
                    fails
                            ? store().fail(own, new StoredFailure("Declined", "no funds", "402"), Calls.SHORT)
                            : store().complete(own, new StoredResult.Omitted("too large", 7), Calls.SHORT));
            await().until(() -> Calls.get(store().find(claim.id())).isEmpty());
            Calls.own(store(), claim);
            assertThat(place.ask("SELECT COUNT(result_kind), COUNT(result_omitted), COUNT(failure_type),"
                            + " COUNT(failure_message), COUNT(failure_code) FROM " + place.table() + " WHERE id = '"
                            + claim.id().value() + "'"))
                    .isEqualTo("0|0|0|0|0");
        }
    }

    private void resolve(Ownership own, Resolution resolution) {
        Calls.get(store().doubt(own, "lost", Calls.RETENTION));
        Calls.get(store().resolve(own.id(), own.fence(), resolution, new AuditNote("anna", Calls.RETENTION)));
    }

    /** Where the clock was set back since the claim, its end would else be before its beginning. */
    @Test
    @ResourceLock(value = STORE, mode = ResourceAccessMode.READ)
    void recordIsSettledNoEarlierThanItWasClaimed() {
        for (boolean doubt : new boolean[] {true, false}) {
            Ownership ownership = owned("ahead", Calls.RETENTION);
            place.run("UPDATE " + place.table() + " SET claimed_at_ms = claimed_at_ms + 60000 WHERE id = '"
                    + ownership.id().value() + "'");
            Calls.get(
                    doubt
                            ? store().doubt(ownership, "lost", Calls.RETENTION)
                            : store().complete(ownership, Calls.RESULT, Calls.RETENTION));
            StoredRecord record = Calls.get(store().find(ownership.id())).orElseThrow();
            assertThat(record.settledAt()).isEqualTo(record.claimedAt());
            assertThat(record.expiresAt()).isEqualTo(record.claimedAt().plus(Calls.RETENTION));
        }
    }
}
