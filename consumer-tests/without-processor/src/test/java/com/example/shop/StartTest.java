package com.example.shop;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micronaut.context.ApplicationContext;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The start fails, and says which method it is about and what to add. */
class StartTest {

    @Test
    void theApplicationDoesNotStart() {
        Exception refusal = assertThrows(
                Exception.class, () -> ApplicationContext.run(Map.of("idempotency.store", "memory")));
        String message = messages(refusal);
        assertTrue(message.contains("com.example.shop.Shop.charge"), message);
        assertTrue(message.contains("<artifactId>idempotency-processor</artifactId>"), message);
    }

    private static String messages(Throwable thrown) {
        return thrown == null ? "" : thrown.getMessage() + "\n" + messages(thrown.getCause());
    }
}
