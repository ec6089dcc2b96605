package io.idempotency.definition;

/** The name of a property as it is written, so that generated code has to encode it once only. Immutable. */
public final class FingerprintName {

    private final byte[] written;

    private FingerprintName(byte[] written) {
        this.written = written;
    }

    /**
     * Encodes a name.
     *
     * @param name the property's name
     * @return it, encoded
     */
    public static FingerprintName of(String name) {
        FingerprintWriter writer = new FingerprintWriter();
        writer.name(name);
        return new FingerprintName(writer.toByteArray());
    }

    byte[] written() {
        return written;
    }
}
