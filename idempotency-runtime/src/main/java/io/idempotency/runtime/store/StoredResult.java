package io.idempotency.runtime.store;

import java.util.Arrays;

/** The recorded result of a body that returned. */
public sealed interface StoredResult {

    /** The remainder of a result that was erased, or of a failure that was recorded with its answer. */
    StoredResult ERASED = new Omitted("it was erased", -1);

    /** The result itself, as the codec wrote it. */
    record Present(byte[] bytes) implements StoredResult {
        @Override
        public boolean equals(Object other) {
            return other instanceof Present present && Arrays.equals(bytes, present.bytes);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(bytes);
        }

        @Override
        public String toString() {
            return "Present[" + bytes.length + " bytes]";
        }
    }

    /**
     * The body returned, but its result is not stored.
     *
     * @param reason why not, for people, at most 500 characters
     * @param size the encoded size in bytes, or -1 when it could not be encoded
     */
    record Omitted(String reason, long size) implements StoredResult {}
}
