package io.idempotency.benchmarks;

import io.idempotency.IdempotentOperation;
import jakarta.inject.Singleton;

/** The methods that are measured: the same body, plain and protected. */
@Singleton
public class Calls {

    private long count;

    /** Not advised. */
    public long plain(String id, long amount) {
        return count += id.length() + amount;
    }

    @IdempotentOperation(value = "bench-no-op", key = "id")
    public long protectedCall(String id, long amount) {
        return count += id.length() + amount;
    }

    @IdempotentOperation(value = "bench-order", key = "order.id")
    public long takeOrder(Order order) {
        return count += order.priority();
    }
}
