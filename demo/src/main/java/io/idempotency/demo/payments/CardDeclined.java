package io.idempotency.demo.payments;

import io.micronaut.http.HttpStatus;
import io.micronaut.http.exceptions.HttpStatusException;

/** The provider declined before anything happened: declared as no effect, so the same key may try again. */
public final class CardDeclined extends HttpStatusException {

    CardDeclined() {
        super(HttpStatus.PAYMENT_REQUIRED, "The card was declined; nothing was charged");
    }
}
