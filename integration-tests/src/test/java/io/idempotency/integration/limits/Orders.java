package io.idempotency.integration.limits;

import io.idempotency.IdempotencyContext;
import io.idempotency.IdempotentOperation;
import io.idempotency.OnAbandoned;
import io.idempotency.runtime.CallerResolver;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;
import java.io.UncheckedIOException;
import java.net.SocketTimeoutException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** An operation whose callers a test names. */
@Singleton
@Requires(property = "test.limits")
class Orders {

    final AtomicInteger bodies = new AtomicInteger();

    /** Who calls. */
    @Singleton
    @Requires(property = "test.limits")
    static class Caller implements CallerResolver {
        final AtomicReference<@Nullable String> name = new AtomicReference<>();

        @Override
        public @Nullable String currentCaller() {
            return name.get();
        }
    }

    @IdempotentOperation(value = "limited-order", key = "key")
    public int order(String key) {
        return bodies.incrementAndGet();
    }

    @IdempotentOperation(value = "limited-later", key = "key")
    public CompletableFuture<Integer> later(String key) {
        return CompletableFuture.supplyAsync(bodies::incrementAndGet);
    }

    /** Its first attempt ends in doubt. */
    @IdempotentOperation(value = "limited-doubt", key = "key", onAbandoned = OnAbandoned.TAKE_OVER)
    public int doubtful(String key) {
        if (IdempotencyContext.current().attempt() == 1) {
            throw new UncheckedIOException(new SocketTimeoutException());
        }
        return bodies.incrementAndGet();
    }
}
