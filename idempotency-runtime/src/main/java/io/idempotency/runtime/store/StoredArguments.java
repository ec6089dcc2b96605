package io.idempotency.runtime.store;

import java.util.Arrays;

/**
 * The sealed arguments of a call, which a store keeps with the claim until the record is settled.
 *
 * @param bytes at most {@link #MAX_BYTES}, possibly empty; not copied
 */
public record StoredArguments(byte[] bytes) {

    /** The largest size that stores keep, in bytes. */
    public static final int MAX_BYTES = 64 * 1024;

    /** Refuses arguments that are too large for a store. */
    public StoredArguments {
        if (bytes.length > MAX_BYTES) {
            throw new IllegalArgumentException(
                    "Arguments of " + bytes.length + " bytes are not stored; the most is " + MAX_BYTES);
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof StoredArguments stored && Arrays.equals(bytes, stored.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }
}
