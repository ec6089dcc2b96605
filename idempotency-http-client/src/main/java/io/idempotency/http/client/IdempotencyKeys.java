package io.idempotency.http.client;

import io.micronaut.core.propagation.PropagatedContext;
import java.util.UUID;
import java.util.function.Supplier;

/** Keys for calls that are made by hand. */
public final class IdempotencyKeys {

    private static final int RANDOM_A = 0x0fff;
    private static final int VERSION_7 = 0x7000;

    private IdempotencyKeys() {}

    /**
     * A new key: a UUID of version 7 (RFC 9562, section 5.7), which databases index in the order of time.
     *
     * @return 36 characters
     */
    public static String next() {
        return version7(System.currentTimeMillis(), UUID.randomUUID()).toString();
    }

    /** The 48 bits of time in front of random bits; a random UUID has the right variant already. */
    static UUID version7(long millis, UUID random) {
        return new UUID(
                millis << Short.SIZE | VERSION_7 | random.getMostSignificantBits() & RANDOM_A,
                random.getLeastSignificantBits());
    }

    /**
     * Makes a call whose request carries a key, through any HTTP client that Micronaut made. The key is for one request:
     * another one to a different address is refused before it is sent.
     *
     * @param key 1 to 255 printable ASCII characters, the same when the call is made again
     * @param call sends one request, or gives a publisher or stage of the client that does
     * @param <T> what it gives
     * @return the same
     */
    public static <T> T with(String key, Supplier<T> call) {
        LogicalCall.Scope scope = new LogicalCall.Scope(LogicalCall.explicit("IdempotencyKeys.with", key), "");
        try (PropagatedContext.Scope ignored =
                PropagatedContext.getOrEmpty().plus(scope).propagate()) {
            return call.get();
        }
    }
}
