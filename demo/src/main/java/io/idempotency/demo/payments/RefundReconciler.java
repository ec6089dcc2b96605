package io.idempotency.demo.payments;

import io.idempotency.IdempotencyContext;
import io.idempotency.Reconciles;
import io.idempotency.Reconciliation;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.http.HttpResponse;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Finds out what became of an abandoned refund by asking the provider. A refund it lists under our derived key is ours;
 * where it lists no keys, one of the same amount that our own books do not know.
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
        List<ProviderClient.Refunded> candidates = provider.refunds(id).stream()
                .filter(refund -> refund.amount().compareTo(request.amount()) == 0)
                .filter(refund -> refund.idempotencyKey() == null
                        ? !booked(id).contains(refund.id())
                        : refund.idempotencyKey().equals(sentKey()))
                .toList();
        return switch (candidates.size()) {
            case 0 -> Reconciliation.absent();
            case 1 -> Reconciliation.done(PaymentController.created(book(id, candidates.get(0))));
            default ->
                Reconciliation.unknown(candidates.size() + " refunds of payment " + id + " could be the one asked for");
        };
    }
    // end::reconcile[]

    /** The key that the abandoned run sent: derived keys are the same on every attempt. */
    private static String sentKey() {
        return IdempotencyContext.current().deriveKey(ProviderClient.INTENT);
    }

    /** The abandoned run may have come as far as our own books. */
    private Refund book(String id, ProviderClient.Refunded refunded) {
        return refunds.findByPaymentId(id).stream()
                .filter(refund -> refund.id().equals(refunded.id()))
                .findFirst()
                .orElseGet(() -> refunds.save(new Refund(refunded.id(), id, refunded.amount(), "REFUNDED")));
    }

    private Set<String> booked(String id) {
        return refunds.findByPaymentId(id).stream().map(Refund::id).collect(Collectors.toSet());
    }
}
