package io.idempotency.test;

import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.RecordId;
import io.idempotency.runtime.store.SettlementSignals;

/** The signals of a store that has none. */
record NoSignals() implements SettlementSignals {

    static SettlementSignals of(IdempotencyStore store) {
        return store instanceof SettlementSignals signals ? signals : new NoSignals();
    }

    @Override
    public Subscription listen(RecordId id, Runnable look) {
        return new Subscription() {
            @Override
            public boolean live() {
                return false;
            }

            @Override
            public void close() {}
        };
    }
}
