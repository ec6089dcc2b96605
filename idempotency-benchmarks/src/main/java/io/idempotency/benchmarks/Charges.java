package io.idempotency.benchmarks;

import io.idempotency.IdempotentOperation;
import io.idempotency.WhenInProgress;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.inject.Singleton;
import java.math.BigDecimal;
import java.util.concurrent.CompletableFuture;

/** An operation as applications have them: an argument of twelve fields, a result of five, and a body that does nothing. */
@Singleton
public class Charges {

    private static final BigDecimal AMOUNT = new BigDecimal("129.90");

    /** What is asked for. */
    @Serdeable
    public record Charge(
            String id,
            String orderId,
            BigDecimal amount,
            String currency,
            String customer,
            String email,
            String street,
            String city,
            String country,
            long created,
            int quantity,
            boolean express) {

        static Charge of(String id) {
            return new Charge(
                    id, "order-4711", AMOUNT, "EUR", "c-17", "a@example.com", "1 Main St", "Bern", "CH", 1L, 3, true);
        }
    }

    /** What is answered. */
    @Serdeable
    public record Receipt(String id, String orderId, BigDecimal amount, String currency, String status) {}

    private final CompletableFuture<Receipt> slow = new CompletableFuture<>();

    @IdempotentOperation(value = "bench-charge", key = "charge.id")
    public Receipt charge(Charge charge) {
        return new Receipt("ch-" + charge.id(), charge.orderId(), charge.amount(), charge.currency(), "CHARGED");
    }

    @IdempotentOperation(value = "bench-charge-slowly", key = "charge.id")
    public CompletableFuture<Receipt> slowly(Charge charge) {
        return slow;
    }

    @IdempotentOperation(
            value = "bench-charge-waiting",
            key = "charge.id",
            whenInProgress = WhenInProgress.WAIT,
            waitTimeout = "60s")
    public CompletableFuture<Receipt> waiting(Charge charge) {
        return slow;
    }

    void finish() {
        slow.complete(charge(Charge.of("slow")));
    }
}
