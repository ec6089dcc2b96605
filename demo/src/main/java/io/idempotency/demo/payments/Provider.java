package io.idempotency.demo.payments;

import io.micronaut.http.HttpStatus;
import io.micronaut.http.client.exceptions.HttpClientException;
import io.micronaut.http.client.exceptions.HttpClientResponseException;
import io.micronaut.http.exceptions.HttpStatusException;
import jakarta.inject.Singleton;
import java.math.BigDecimal;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Calls the provider and says what its answers mean. */
@Singleton
final class Provider {

    private static final int FIRST_REFUSAL = 400;
    private static final int FIRST_SERVER_ERROR = 500;

    private final ProviderClient client;

    Provider(ProviderClient client) {
        this.client = client;
    }

    ProviderClient.Charge charge(ChargeRequest order, @Nullable String simulate) {
        return answer(() -> client.charge(order, simulate));
    }

    ProviderClient.Refunded refund(String chargeId, BigDecimal amount, @Nullable String simulate) {
        return answer(() -> client.refund(new ProviderClient.RefundOrder(chargeId, amount), simulate));
    }

    List<ProviderClient.Refunded> refunds(String chargeId) {
        return client.refunds(chargeId);
    }

    private static <T> T answer(Supplier<@Nullable T> call) {
        try {
            T answer = call.get();
            if (answer == null) {
                throw new HttpStatusException(
                        HttpStatus.BAD_GATEWAY, "There is no provider at demo.provider.url; nothing was charged");
            }
            return answer;
        } catch (HttpClientResponseException e) {
            if (e.getStatus() == HttpStatus.PAYMENT_REQUIRED) {
                throw new CardDeclined();
            }
            throw refused(e)
                    ? answered(HttpStatus.BAD_GATEWAY, "The provider refused the request: " + e.getMessage(), e)
                    : answered(HttpStatus.GATEWAY_TIMEOUT, "The provider failed; whether it charged is not known", e);
        } catch (HttpClientException e) {
            throw answered(
                    HttpStatus.GATEWAY_TIMEOUT, "The provider's answer was lost; whether it charged is not known", e);
        }
    }

    /** A success that cannot be read is not a refusal: the provider may have charged. */
    private static boolean refused(HttpClientResponseException e) {
        return e.code() >= FIRST_REFUSAL
                && e.code() < FIRST_SERVER_ERROR
                && e.getStatus() != HttpStatus.REQUEST_TIMEOUT;
    }

    /** Keeps the cause: that is how the library tells a lost answer from a refusal. */
    private static HttpStatusException answered(HttpStatus status, String message, HttpClientException cause) {
        HttpStatusException failure = new HttpStatusException(status, message);
        failure.initCause(cause);
        return failure;
    }
}
