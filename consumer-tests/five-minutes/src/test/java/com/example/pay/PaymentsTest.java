package com.example.pay;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.example.pay.Payments.ChargeRequest;
import com.example.pay.Payments.Receipt;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import jakarta.inject.Inject;
import java.util.UUID;
import org.junit.jupiter.api.Test;

@MicronautTest(transactional = false)
class PaymentsTest {

    @Inject
    Payments payments;

    @Test
    void aRetryChargesOnce() {
        ChargeRequest request = new ChargeRequest(UUID.randomUUID().toString(), 500);
        Receipt first = payments.charge(request);
        assertEquals(first, payments.charge(request));
        assertEquals(1, payments.charges());
    }
}
