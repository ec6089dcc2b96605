package io.idempotency.test;

import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.TransactionalStore;
import java.time.Duration;
import java.util.function.UnaryOperator;

/**
 * The transactions of a store that breaks on command.
 *
 * @param behind has them
 * @param broken puts the faults in front of the store that a transaction sees
 */
record FaultyTransactions(TransactionalStore behind, UnaryOperator<IdempotencyStore> broken)
        implements TransactionalStore {

    @Override
    public String dataSource() {
        return behind.dataSource();
    }

    @Override
    public <T> T inTransaction(Duration lockTimeout, Work<T> work) throws Exception {
        return behind.inTransaction(lockTimeout, store -> work.in(broken.apply(store)));
    }
}
