package io.idempotency.demo.provider;

import io.micronaut.core.annotation.Nullable;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Header;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.http.exceptions.HttpStatusException;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.micronaut.serde.annotation.Serdeable;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The built-in payment provider. */
@Controller("/provider")
@ExecuteOn(TaskExecutors.BLOCKING)
class ProviderController {

    static final String CHARGE = "charge";
    private static final String REFUND = "refund";

    private final ProviderEntries entries;

    ProviderController(ProviderEntries entries) {
        this.entries = entries;
    }

    @Serdeable
    record ChargeOrder(String orderId, BigDecimal amount, String currency) {}

    @Serdeable
    record Charge(
            String id,
            String orderId,
            BigDecimal amount,
            @Nullable String currency,
            @Nullable String idempotencyKey) {}

    @Serdeable
    record RefundOrder(String chargeId, BigDecimal amount) {}

    @Serdeable
    record Refund(
            String id,
            String chargeId,
            BigDecimal amount,
            @Nullable String idempotencyKey) {}

    @Post("/charges")
    Mono<HttpResponse<?>> charge(
            @Body ChargeOrder order,
            @Nullable @Header("Idempotency-Key") String key,
            @Nullable @Header("X-Simulate") String simulate) {
        ProviderEntry entry = new ProviderEntry(
                UUID.randomUUID().toString(), CHARGE, order.orderId(), order.amount(), order.currency(), key);
        return book(entry, charge(entry), Simulation.parse(simulate));
    }

    @Post("/refunds")
    Mono<HttpResponse<?>> refund(
            @Body RefundOrder order,
            @Nullable @Header("Idempotency-Key") String key,
            @Nullable @Header("X-Simulate") String simulate) {
        ProviderEntry entry =
                new ProviderEntry(UUID.randomUUID().toString(), REFUND, order.chargeId(), order.amount(), null, key);
        return book(entry, refund(entry), Simulation.parse(simulate));
    }

    @Get("/charges")
    List<Charge> charges(@Nullable @QueryValue String orderId) {
        return listed(CHARGE, orderId).stream().map(ProviderController::charge).toList();
    }

    @Get("/refunds")
    List<Refund> refunds(@Nullable @QueryValue String chargeId) {
        return listed(REFUND, chargeId).stream().map(ProviderController::refund).toList();
    }

    private List<ProviderEntry> listed(String kind, @Nullable String reference) {
        return reference == null ? entries.findByKind(kind) : entries.findByKindAndReference(kind, reference);
    }

    private Mono<HttpResponse<?>> book(ProviderEntry entry, Object answer, Simulation simulation) {
        if (simulation.kind() == Simulation.Kind.DECLINE) {
            return Mono.error(new HttpStatusException(HttpStatus.PAYMENT_REQUIRED, "Declined"));
        }
        entries.save(entry);
        if (simulation.kind() == Simulation.Kind.LOST) {
            return Mono.just(HttpResponse.created(cutOff()));
        }
        return Mono.<HttpResponse<?>>just(HttpResponse.created(answer)).delayElement(simulation.delay());
    }

    /** Half an answer, then the connection breaks. */
    private static Flux<byte[]> cutOff() {
        return Flux.concat(
                Flux.just("{\"id\":".getBytes(StandardCharsets.UTF_8)),
                Flux.error(new IllegalStateException("The provider was told to lose its answer")));
    }

    private static Charge charge(ProviderEntry entry) {
        return new Charge(entry.id(), entry.reference(), entry.amount(), entry.currency(), entry.idempotencyKey());
    }

    private static Refund refund(ProviderEntry entry) {
        return new Refund(entry.id(), entry.reference(), entry.amount(), entry.idempotencyKey());
    }
}
