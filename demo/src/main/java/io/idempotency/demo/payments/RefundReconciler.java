package io.idempotency.demo.payments;

import io.idempotency.IdempotencyContext;
import io.idempotency.Reconciles;
import io.idempotency.Reconciliation;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.http.HttpResponse;
import jakarta.inject.Singleton;

/**
 * Finds out what became of an abandoned refund by asking the provider, which lists it under our derived key. That it is not
 * listed is no proof: this provider only notes keys, so a request that comes late would be a second refund.
 */
@Singleton
class RefundReconciler {

    private final Provider provider;
    private final RefundRepository refunds;

    RefundReconciler(Provider provider, RefundRepository refunds) {
        this.provider = provider;
        this.refunds = refunds;
    }

    // tag::reconcile[]
    @Reconciles("refund-payment")
    Reconciliation<HttpResponse<Refund>> reconcile(String id, RefundRequest request, @Nullable String simulate) {
        String sentKey = IdempotencyContext.current().deriveKey("psp"); // as the abandoned run did, on every attempt
        return provider.refunds(id).stream()
                .filter(refund -> sentKey.equals(refund.idempotencyKey()))
                .findFirst()
                .map(refund -> Reconciliation.done(PaymentController.created(book(id, refund))))
                .orElseGet(() -> Reconciliation.unknown("the provider does not list it, and may still make it"));
    }
    // end::reconcile[]

    /** The abandoned run may have come as far as our own books. */
    private Refund book(String id, ProviderClient.Refunded refunded) {
        return refunds.findByPaymentId(id).stream()
                .filter(refund -> refund.id().equals(refunded.id()))
                .findFirst()
                .orElseGet(() -> refunds.save(new Refund(refunded.id(), id, refunded.amount(), "REFUNDED")));
    }
}
