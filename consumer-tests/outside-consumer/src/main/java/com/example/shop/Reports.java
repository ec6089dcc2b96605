package com.example.shop;

import io.idempotency.IdempotentOperation;
import jakarta.inject.Singleton;
import java.time.LocalDate;

/** One report a day, on whichever node comes first. */
@Singleton
class Reports {

    private final Ledger ledger;

    Reports(Ledger ledger) {
        this.ledger = ledger;
    }

    @IdempotentOperation(value = "write-report", key = "day")
    void write(LocalDate day) {
        ledger.save(new Entry(null, "report", day.toString()));
    }
}
