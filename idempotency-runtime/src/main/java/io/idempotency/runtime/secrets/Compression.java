package io.idempotency.runtime.secrets;

import io.idempotency.runtime.Within;
import io.idempotency.runtime.outcome.OutcomeKind;
import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import io.micronaut.core.convert.format.ReadableBytes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;
import org.jspecify.annotations.Nullable;

/** Compresses by DEFLATE (RFC 1951), behind the original length, which is checked before memory is allocated. */
final class Compression {

    private static final int HEAD = OutcomeKind.LENGTH + Integer.BYTES;

    /** The most bytes that a compressed byte can expand to. */
    private static final long MOST_FOR_A_BYTE = 1032;

    private final @Nullable Integer above;
    private final int largest;

    Compression(Configuration configuration) {
        this.above = configuration.getAbove();
        this.largest = configuration.getMaxSize();
    }

    /** Returns the compressed bytes; the same bytes where they are few, or would not become fewer. */
    byte[] compressed(byte[] bytes) {
        if (above == null || bytes.length < above || bytes.length > largest || bytes.length <= HEAD + 1) {
            return bytes;
        }
        Deflater deflater = new Deflater(Deflater.DEFAULT_COMPRESSION, true);
        try {
            byte[] smaller = new byte[bytes.length - 1];
            deflater.setInput(bytes);
            deflater.finish();
            int length = deflater.deflate(smaller, HEAD, smaller.length - HEAD);
            ByteBuffer.wrap(smaller).put(OutcomeKind.COMPRESSED.mark()).putInt(bytes.length);
            return deflater.finished() ? Arrays.copyOf(smaller, HEAD + length) : bytes;
        } finally {
            deflater.end();
        }
    }

    byte[] expanded(byte[] compressed) throws IOException {
        int rest = compressed.length - HEAD;
        int length = rest < 1 ? 0 : ByteBuffer.wrap(compressed).getInt(OutcomeKind.LENGTH);
        if (length < 1 || length > rest * MOST_FOR_A_BYTE) {
            throw new IOException("its compressed bytes are cut off or changed");
        }
        if (length > largest) {
            throw new IOException("it would be expanded to " + length + " bytes, and " + Configuration.PREFIX
                    + ".max-size permits " + largest);
        }
        Inflater inflater = new Inflater(true);
        try {
            byte[] bytes = new byte[length];
            inflater.setInput(compressed, HEAD, rest);
            int read = inflater.inflate(bytes);
            boolean whole = read == length && (inflater.finished() || inflater.inflate(new byte[1]) == 0);
            if (!whole || !inflater.finished() || inflater.getRemaining() > 0) {
                throw new IOException("its compressed bytes are not what was compressed");
            }
            return bytes;
        } catch (DataFormatException e) {
            throw new IOException("its compressed bytes were changed", e);
        } finally {
            inflater.end();
        }
    }

    /** {@code idempotency.compression.*}. */
    @ConfigurationProperties(Configuration.PREFIX)
    interface Configuration {

        String PREFIX = "idempotency.compression";

        /** From which size on a recorded outcome is compressed, in bytes or as {@code 4KB}, at least 1; left out, none is. */
        @io.micronaut.core.annotation.Nullable
        @ReadableBytes
        @Within(min = "1")
        Integer getAbove();

        /**
         * The largest outcome that is compressed, and the most that one is expanded to, in bytes or as {@code 10MB}; at least 1.
         */
        @ReadableBytes
        @Within(min = "1")
        @Bindable(defaultValue = "10485760")
        int getMaxSize();
    }
}
