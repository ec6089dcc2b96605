package com.example.shop;

import io.idempotency.IdempotentOperation;
import java.util.List;

/** An operation that a bean inherits. */
abstract class Ledger<T> {

    @IdempotentOperation("book")
    List<T> book(List<? extends T> entries, long account) {
        return List.copyOf(entries);
    }
}
