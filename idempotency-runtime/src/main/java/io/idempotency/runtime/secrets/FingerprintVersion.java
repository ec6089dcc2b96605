package io.idempotency.runtime.secrets;

import io.idempotency.definition.FingerprintWriter;
import io.idempotency.definition.OpenValues;

/**
 * A version of the canonical form that this node can write. A change of the form adds a bean for the new version and
 * keeps the bean of the former one, unchanged, for as long as its records may be kept: during a rolling deployment
 * nodes of both versions run, and a key's record may come from either.
 */
public interface FingerprintVersion {

    /** Returns the number of this version, from 1 on, which is part of the form of its fingerprints. */
    int number();

    /** Returns a writer of this version. */
    FingerprintWriter writer(OpenValues openValues);
}
