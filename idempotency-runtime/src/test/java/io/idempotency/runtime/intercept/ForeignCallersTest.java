package io.idempotency.runtime.intercept;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idempotency.Refusal;
import io.idempotency.runtime.memory.MemoryIdempotencyStore;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.RecordState;
import io.idempotency.runtime.store.StoredRecord;
import io.micronaut.context.annotation.Property;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import jakarta.inject.Inject;
import jakarta.inject.Named;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Keys that belong to one caller, for all operations and for one that says otherwise. */
@MicronautTest
@Property(name = "test.callers", value = "true")
@Property(name = "idempotency.other-callers", value = "forbid")
@Property(name = "idempotency.operations.overloaded-two.other-callers", value = "isolate")
class ForeignCallersTest {

    @Inject
    CallersTest.Who who;

    @Inject
    OrderService service;

    @Inject
    @Named("memory")
    IdempotencyStore store;

    private final String id = UUID.randomUUID().toString();

    private void assertRefused(String caller) {
        who.caller.set(caller);
        assertThatThrownBy(() -> service.overloaded(id))
                .hasFieldOrPropertyWithValue("refusal", Refusal.KEY_FOREIGN)
                .hasMessageContaining("belongs to another caller")
                .hasMessageNotContaining("alice");
    }

    @Test
    void aKeyBelongsToTheCallerWhoUsedItFirst() {
        who.caller.set("alice");
        int alices = service.overloaded(id);
        assertRefused("bob");
        assertRefused(null);
        who.caller.set("alice");
        assertThat(service.overloaded(id)).isEqualTo(alices);
    }

    @Test
    void aKeyThatNobodyInParticularUsedIsNotForOthers() {
        who.caller.set(null);
        int anybodys = service.overloaded(id);
        assertRefused("alice");
        who.caller.set(null);
        assertThat(service.overloaded(id)).isEqualTo(anybodys);
    }

    @Test
    void anotherTenantsKeyIsAnotherKey() {
        who.caller.set("alice");
        who.tenant.set("one");
        int ones = service.overloaded(id);
        who.caller.set("bob");
        who.tenant.set("two");
        assertThat(service.overloaded(id)).isNotEqualTo(ones);
        who.tenant.set(null);
    }

    @Test
    void oneOperationCanSayOtherwise() {
        who.caller.set("alice");
        int alices = service.overloaded(id, 1);
        who.caller.set("bob");
        assertThat(service.overloaded(id, 1)).isNotEqualTo(alices);
    }

    @Test
    void whoNeverUsedTheKeyOfNobodyIsRefusedToo() {
        who.caller.set("alice");
        service.overloaded(id);
        assertRefused("");
    }

    @Test
    void theRecordHoldsNoName() {
        who.caller.set("alice-the-caller");
        service.overloaded(id);
        for (StoredRecord record : ((MemoryIdempotencyStore) store).list(RecordState.COMPLETED, Duration.ZERO, 1000)) {
            assertThat(record.toString()).doesNotContain("alice-the-caller");
            assertThat(record.fingerprint().length()).isLessThanOrEqualTo(100);
        }
    }
}
