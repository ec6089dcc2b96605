package io.idempotency.demo.payments;

import io.idempotency.IdempotentOperation;
import io.idempotency.NotFingerprinted;
import io.idempotency.OnAbandoned;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Header;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.exceptions.HttpStatusException;
import io.micronaut.http.uri.UriBuilder;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import jakarta.validation.Valid;
import java.math.BigDecimal;
import java.util.List;

/** Charges and refunds. The key is the request's {@code Idempotency-Key} header, because these are routes. */
@Controller("/payments")
@ExecuteOn(TaskExecutors.BLOCKING)
class PaymentController {

    private final Provider provider;
    private final PaymentRepository payments;
    private final RefundRepository refunds;

    PaymentController(Provider provider, PaymentRepository payments, RefundRepository refunds) {
        this.provider = provider;
        this.payments = payments;
        this.refunds = refunds;
    }

    /** Strict: after a crash, callers are told that the outcome is unknown until somebody settles it. */
    // tag::charge[]
    @Post
    @IdempotentOperation(value = "charge-payment", noEffectFor = CardDeclined.class)
    public HttpResponse<Payment> charge(
            @Body @Valid ChargeRequest request, @Nullable @NotFingerprinted @Header("X-Simulate") String simulate) {
        ProviderClient.Charge charge = provider.charge(request, simulate);
        Payment payment = payments.save(
                new Payment(charge.id(), request.orderId(), request.amount(), request.currency(), "CHARGED"));
        return HttpResponse.created(
                payment, UriBuilder.of("/payments").path(payment.id()).build());
    }
    // end::charge[]

    /**
     * After a crash, the provider is asked what became of it: see {@link RefundReconciler}. The key makes one refund of one
     * request; it does not guard the amount that is left: refunds with two keys at once may both find enough. A service with
     * real money also reserves the amount in a locked row of the payment before it calls the provider.
     */
    @Post("/{id}/refunds")
    @IdempotentOperation(
            value = "refund-payment",
            noEffectFor = CardDeclined.class,
            onAbandoned = OnAbandoned.RECONCILE)
    public HttpResponse<Refund> refund(
            @PathVariable String id,
            @Body @Valid RefundRequest request,
            @Nullable @NotFingerprinted @Header("X-Simulate") String simulate) {
        Payment payment = payments.findById(id)
                .orElseThrow(() -> new HttpStatusException(HttpStatus.NOT_FOUND, "There is no payment " + id));
        BigDecimal left =
                refunds.findByPaymentId(id).stream().map(Refund::amount).reduce(payment.amount(), BigDecimal::subtract);
        if (request.amount().compareTo(left) > 0) {
            throw new HttpStatusException(HttpStatus.BAD_REQUEST, "At most " + left + " can be refunded");
        }
        ProviderClient.Refunded refunded = provider.refund(id, request.amount(), simulate);
        return created(refunds.save(new Refund(refunded.id(), id, request.amount(), "REFUNDED")));
    }

    static HttpResponse<Refund> created(Refund refund) {
        return HttpResponse.created(refund);
    }

    /** Every charge that really happened, as far as this service knows. */
    @Get
    public List<Payment> list() {
        return payments.findAll();
    }

    @Get("/{id}")
    @Nullable
    public Payment show(@PathVariable String id) {
        return payments.findById(id).orElse(null);
    }
}
