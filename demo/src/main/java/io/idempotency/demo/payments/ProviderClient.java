package io.idempotency.demo.payments;

import io.idempotency.SendsIdempotencyKey;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Header;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.http.client.annotation.Client;
import io.micronaut.serde.annotation.Serdeable;
import java.math.BigDecimal;
import java.util.List;

/**
 * The payment provider's HTTP interface. Declarative clients answer 404 with null. What is asked of it inside an
 * operation carries a key derived from the operation's.
 */
@Client("${demo.provider.url}")
interface ProviderClient {

    @Serdeable
    record Charge(String id, String orderId, BigDecimal amount, String currency) {}

    @Serdeable
    record RefundOrder(String chargeId, BigDecimal amount) {}

    @Serdeable
    record Refunded(
            String id,
            String chargeId,
            BigDecimal amount,
            @Nullable String idempotencyKey) {}

    @Post("/charges")
    @SendsIdempotencyKey("psp")
    @Nullable
    Charge charge(@Body ChargeRequest order, @Nullable @Header("X-Simulate") String simulate);

    @Post("/refunds")
    @SendsIdempotencyKey("psp")
    @Nullable
    Refunded refund(@Body RefundOrder order, @Nullable @Header("X-Simulate") String simulate);

    @Get("/refunds")
    List<Refunded> refunds(@QueryValue String chargeId);
}
