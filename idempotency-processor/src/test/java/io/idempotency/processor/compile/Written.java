package io.idempotency.processor.compile;

import io.idempotency.definition.FingerprintWriter;
import java.util.HexFormat;
import java.util.function.Consumer;

/** What a fingerprint must be, written by hand. */
public final class Written {

    private Written() {}

    /** The bytes that are written, in hexadecimal. */
    public static String by(Consumer<FingerprintWriter> content) {
        FingerprintWriter writer = new FingerprintWriter();
        content.accept(writer);
        return HexFormat.of().formatHex(writer.toByteArray());
    }
}
