package io.idempotency.runtime.store;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** Digests for keys and fingerprints: every call makes two. */
public final class Sha256 {

    /** Never used itself: a copy costs a fraction of what looking for the algorithm costs. */
    private static final MessageDigest FRESH = looked();

    private Sha256() {}

    /**
     * A digest of nothing yet.
     *
     * @return the caller's own
     */
    public static MessageDigest begun() {
        try {
            return (MessageDigest) FRESH.clone();
        } catch (CloneNotSupportedException e) { // a provider may leave it out
            return looked();
        }
    }

    private static MessageDigest looked() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("This Java runtime has no SHA-256, which every one must have", e);
        }
    }
}
