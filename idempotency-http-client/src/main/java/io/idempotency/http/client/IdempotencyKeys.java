package io.idempotency.http.client;

import io.micronaut.core.propagation.PropagatedContext;
import java.util.UUID;
import java.util.function.Supplier;

/** Keys for calls without an annotation. */
public final class IdempotencyKeys {

    private IdempotencyKeys() {}

    /** Returns a new key: a UUID of version 7 (RFC 9562, section 5.7), which databases index in the order of time. */
    public static String next() {
        return version7(System.currentTimeMillis(), UUID.randomUUID()).toString();
    }

    /** Puts 48 bits of time in front of random bits. A random UUID already has the right variant. */
    static UUID version7(long millis, UUID random) {
        return new UUID(
                millis << Short.SIZE | 0x7000 | random.getMostSignificantBits() & 0x0fff, // the version, 12 random bits
                random.getLeastSignificantBits());
    }

    /**
     * Makes a call with a key on its request, through any HTTP client that Micronaut made. The key is for one request:
     * another request, to a different address, is refused before it is sent.
     *
     * @param key 1 to 255 printable ASCII characters, the same for each attempt of the call
     * @param call sends one request, or returns a publisher or stage of the client that does
     */
    public static <T> T with(String key, Supplier<T> call) {
        LogicalCall.Scope scope = new LogicalCall.Scope(LogicalCall.explicit("IdempotencyKeys.with", key), "");
        return PropagatedContext.getOrEmpty().plus(scope).propagate(call);
    }
}
