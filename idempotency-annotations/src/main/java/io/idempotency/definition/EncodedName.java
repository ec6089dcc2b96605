package io.idempotency.definition;

/** The name of a property as it is written, so that generated code has to encode it once only. */
public record EncodedName(byte[] written) {

    /** Encodes a property's name. */
    public static EncodedName of(String name) {
        FingerprintWriter writer = new FingerprintWriter();
        writer.name(name);
        return new EncodedName(writer.toByteArray());
    }
}
