package com.example.shop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.idempotency.IdempotencyStoreUnavailableException;
import io.idempotency.OperationInProgressException;
import io.idempotency.test.FaultyStore.Call;
import io.idempotency.test.IdempotencyTest;
import io.idempotency.test.IdempotencyTestKit;
import io.micronaut.context.annotation.Property;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import jakarta.inject.Inject;
import java.time.Duration;
import org.junit.jupiter.api.Test;

@MicronautTest
@IdempotencyTest
@Property(name = "idempotency.store", value = "memory")
class TestKitTest {

    @Inject
    IdempotencyTestKit kit;

    @Inject
    Payments payments;

    @Test
    void aDeadOwnersCallIsTakenOverWhenItsLeaseIsOver() {
        kit.store().crashNextOwner();
        assertEquals(1, payments.charge("killed", 1));
        assertThrows(OperationInProgressException.class, () -> payments.charge("killed", 1));
        kit.skip(Duration.ofMinutes(1));
        assertEquals(2, payments.charge("killed", 1));
    }

    @Test
    void aStoreThatIsAwayRefuses() {
        kit.store().refuse(Call.CLAIM);
        assertThrows(IdempotencyStoreUnavailableException.class, () -> payments.charge("away", 1));
        kit.store().mend();
    }
}
