package io.idempotency.demo.payments;

import jakarta.inject.Singleton;
import java.math.BigDecimal;

/** The payments, summed up for others. */
@Singleton
public class Books {

    private final PaymentRepository payments;

    Books(PaymentRepository payments) {
        this.payments = payments;
    }

    /**
     * How many charges happened.
     *
     * @return not negative
     */
    public int charges() {
        return payments.findAll().size();
    }

    /**
     * How much was charged.
     *
     * @return the sum, whatever the currencies: this is a demo
     */
    public BigDecimal total() {
        return payments.findAll().stream().map(Payment::amount).reduce(BigDecimal.ZERO, BigDecimal::add);
    }
}
