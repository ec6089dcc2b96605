package io.idempotency.runtime.management;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idempotency.IdempotentOperation;
import io.idempotency.runtime.IdempotencyRecords;
import io.idempotency.runtime.IdempotencyRecords.AuditEntry;
import io.idempotency.runtime.IdempotencyRecords.Decision;
import io.idempotency.runtime.memory.MemoryIdempotencyStore;
import io.idempotency.runtime.store.AuditNote;
import io.idempotency.runtime.store.ForwardingStore;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.RecordId;
import io.idempotency.runtime.store.RecordState;
import io.idempotency.runtime.store.Resolution;
import io.idempotency.runtime.store.ResultRejectedException;
import io.idempotency.runtime.store.Settled;
import io.idempotency.runtime.store.StoredRecord;
import io.idempotency.runtime.store.StoredResult;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Property;
import io.micronaut.context.annotation.Requires;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import jakarta.inject.Inject;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/** Operators reach the records of a store whatever another store does. */
@MicronautTest(startApplication = false)
@Property(name = "idempotency.store", value = "memory")
@Property(name = "test.other-stores", value = "true")
class OtherStoresTest {

    /** A store in memory that is asked before all others. */
    private abstract static class First extends ForwardingStore {

        private final String name;

        First(String name) {
            super(new MemoryIdempotencyStore(InstantSource.system()));
            this.name = name;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public final int hashCode() {
            return 0;
        }

        @Override
        public final boolean equals(Object other) {
            return this == other;
        }
    }

    @Factory
    @Requires(property = "test.other-stores")
    static class Stores {

        @Singleton
        @Named("away")
        IdempotencyStore away() {
            return new First("away") {
                @Override
                public Optional<StoredRecord> find(RecordId id) {
                    throw new UncheckedIOException(new IOException("connection refused"));
                }
            };
        }

        @Singleton
        @Named("small")
        IdempotencyStore small() {
            return new First("small") {
                @Override
                public Settled resolve(RecordId id, long fence, Resolution resolution, AuditNote note) {
                    if (resolution instanceof Resolution.Complete done
                            && done.result() instanceof StoredResult.Present) {
                        throw new ResultRejectedException("too large for a row");
                    }
                    return super.resolve(id, fence, resolution, note);
                }
            };
        }
    }

    @Singleton
    @Requires(property = "test.other-stores")
    static class Sender {

        @IdempotentOperation(value = "send-away", key = "key", store = "away")
        public String away(String key) {
            return key;
        }

        @IdempotentOperation(value = "send-here", key = "key")
        public String here(String key) throws TimeoutException {
            throw new TimeoutException();
        }

        @IdempotentOperation(value = "send-small", key = "key", store = "small")
        public String small(String key) throws TimeoutException {
            throw new TimeoutException();
        }
    }

    @Inject
    Sender sender;

    @Inject
    IdempotencyRecords records;

    private final String key = UUID.randomUUID().toString();

    private StoredRecord record(String operation) {
        return records.find(operation, key, null).orElseThrow().record();
    }

    private static Decision decided(StoredRecord record, byte[] result) {
        return new Decision(record.fence(), AuditEntry.Outcome.COMPLETED, result, "anna", "found at the provider");
    }

    @Test
    void aStoreThatIsAwayHidesNoRecordOfAnother() {
        assertThatThrownBy(() -> sender.here(key)).isInstanceOf(TimeoutException.class);
        StoredRecord lost = record("send-here");
        assertThat(records.find(lost.id()).orElseThrow().record().operation()).isEqualTo("send-here");
        assertThat(records.settle(lost.id(), decided(lost, null)).record().state())
                .isEqualTo(RecordState.COMPLETED);
        assertThat(records.erase(lost.id(), "anna", "asked to be forgotten").audit())
                .hasSize(2);
    }

    @Test
    void aRecordThatMayBeInAStoreThatIsAwayIsNotSaidToBeAbsent() {
        RecordId unknown = RecordId.of("send-away", null, null, key);
        assertThatThrownBy(() -> records.find(unknown)).isInstanceOf(UncheckedIOException.class);
        assertThatThrownBy(() -> records.erase(unknown, "anna", "asked to be forgotten"))
                .isInstanceOf(UncheckedIOException.class);
    }

    @Test
    void aResultThatTheStoreCanNeverHoldIsTheOperatorsMistake() {
        assertThatThrownBy(() -> sender.small(key)).isInstanceOf(TimeoutException.class);
        StoredRecord lost = record("send-small");
        byte[] result = "\"sent\"".getBytes(StandardCharsets.UTF_8);
        assertThatThrownBy(() -> records.settle(lost.id(), decided(lost, result)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Settle it without a result");
        assertThat(records.settle(lost.id(), decided(lost, null)).record().state())
                .isEqualTo(RecordState.COMPLETED);
    }
}
