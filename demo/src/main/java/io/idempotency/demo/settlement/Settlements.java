package io.idempotency.demo.settlement;

import io.idempotency.IdempotentOperation;
import io.idempotency.OnAbandoned;
import io.idempotency.OnFailure;
import io.idempotency.WhenInProgress;
import io.idempotency.demo.payments.Books;
import jakarta.inject.Singleton;
import java.time.LocalDate;

/** Closes the books of a day. */
@Singleton
class Settlements {

    private final Books books;

    Settlements(Books books) {
        this.books = books;
    }

    // tag::settle[]
    @IdempotentOperation(
            value = "settle-day",
            key = "day",
            retention = "30d",
            whenInProgress = WhenInProgress.WAIT,
            onFailure = OnFailure.RELEASE,
            onAbandoned = OnAbandoned.TAKE_OVER)
    public Settlement settle(LocalDate day) {
        return new Settlement(day, books.charges(), books.total());
    }
    // end::settle[]
}
