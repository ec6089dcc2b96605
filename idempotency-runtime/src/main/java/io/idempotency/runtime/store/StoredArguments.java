package io.idempotency.runtime.store;

import java.util.Arrays;

/**
 * The arguments of a call, sealed: a store keeps them with the claim, and forgets them as soon as the record is settled.
 *
 * @param bytes at most {@link #MAX_BYTES}, possibly empty; not copied
 */
public record StoredArguments(byte[] bytes) {

    /** The most that stores keep. */
    public static final int MAX_BYTES = 64 * 1024;

    /** Refuses what no store has to keep. */
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

    @Override
    public String toString() {
        return "StoredArguments[" + bytes.length + " bytes]";
    }
}
