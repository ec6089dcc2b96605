package io.idempotency.runtime.codec;

import io.idempotency.definition.FingerprintWriter;
import io.idempotency.definition.OpenValues;
import io.idempotency.runtime.secrets.FingerprintVersion;
import jakarta.inject.Singleton;

/** What {@link FingerprintWriter} writes. It stays, because keys made of arguments are made of it. */
@Singleton
final class FirstVersion implements FingerprintVersion {

    @Override
    public int number() {
        return FingerprintWriter.VERSION;
    }

    @Override
    public FingerprintWriter writer(OpenValues openValues) {
        return new FingerprintWriter(openValues);
    }
}
