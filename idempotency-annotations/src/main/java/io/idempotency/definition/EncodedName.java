package io.idempotency.definition;

/** The name of a property as it is written, so that generated code has to encode it once only. Immutable. */
public final class EncodedName {

    private final byte[] written;

    private EncodedName(byte[] written) {
        this.written = written;
    }

    /** Encodes a property's name. */
    public static EncodedName of(String name) {
        FingerprintWriter writer = new FingerprintWriter();
        writer.name(name);
        return new EncodedName(writer.toByteArray());
    }

    byte[] written() {
        return written;
    }
}
