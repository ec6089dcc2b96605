package io.idempotency.http.server.management;

import io.idempotency.IdempotencyKey;
import io.idempotency.IdempotentOperation;
import io.idempotency.Reloads;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Header;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.exceptions.HttpStatusException;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.inject.Singleton;
import java.math.BigDecimal;
import java.net.URI;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/** Payments whose outcome nobody knows. */
@Controller("/paid")
@ExecuteOn(TaskExecutors.BLOCKING)
@Requires(property = "test.paid")
class PaidController {

    final AtomicInteger bodies = new AtomicInteger();
    volatile boolean lost = true;
    volatile CountDownLatch goOn = new CountDownLatch(0);
    private final Orders orders;

    PaidController(Orders orders) {
        this.orders = orders;
    }

    @Serdeable
    record Paid(String id, BigDecimal amount) {}

    @Post("/pojo")
    @IdempotentOperation("pay-pojo")
    public Paid pojo(@Body Paid paid) throws Exception {
        return body(paid);
    }

    @Post("/response")
    @IdempotentOperation("pay-response")
    public HttpResponse<Paid> response(@Body Paid paid) throws Exception {
        return HttpResponse.created(body(paid), URI.create("/paid/" + paid.id()));
    }

    @Post("/bound")
    @IdempotentOperation("pay-bound")
    public Paid bound(@IdempotencyKey @Header("Idempotency-Key") String key, @Body Paid paid) throws Exception {
        return body(paid);
    }

    @Post("/mapped")
    @IdempotentOperation("pay-mapped")
    public Paid mapped(@Body Paid paid) {
        bodies.incrementAndGet();
        throw new HttpStatusException(HttpStatus.UNPROCESSABLE_ENTITY, "declined, " + paid.id());
    }

    @Reloads("pay-mapped")
    public Paid reloaded(Paid paid) {
        return paid;
    }

    @Post("/order")
    public void order(@Body Paid paid) {
        orders.order(UUID.fromString(paid.id()));
    }

    private Paid body(Paid paid) throws Exception {
        bodies.incrementAndGet();
        goOn.await();
        if (lost) {
            throw new TimeoutException("no answer");
        }
        return paid;
    }

    /** A business key of another type than text. */
    @Singleton
    @Requires(property = "test.paid")
    static class Orders {
        @IdempotentOperation(value = "order-paid", key = "id", unknownFor = IllegalStateException.class)
        public void order(UUID id) {
            throw new IllegalStateException("connection broken, " + id);
        }
    }
}
