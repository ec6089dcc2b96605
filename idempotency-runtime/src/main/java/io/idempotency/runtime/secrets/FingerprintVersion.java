package io.idempotency.runtime.secrets;

import io.idempotency.definition.FingerprintWriter;
import io.idempotency.definition.OpenValues;

/**
 * A version of the canonical form that this node can write. A change of the form adds a bean for the new version and
 * keeps the former one for as long as records of it may be kept, writing what it has always written: a deployment that
 * rolls has nodes of both, and the record of a key may be either's.
 */
public interface FingerprintVersion {

    /** Its number, from 1 on, which stands in front of the fingerprint. */
    int number();

    /** A writer of this version. */
    FingerprintWriter writer(OpenValues openValues);
}
