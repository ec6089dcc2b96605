package io.idempotency.runtime.secrets;

import io.idempotency.runtime.outcome.OutcomeKind;
import io.micronaut.context.exceptions.ConfigurationException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;
import org.jspecify.annotations.Nullable;

/** DEFLATE (RFC 1951) behind the length of what was compressed, which is checked before memory is taken for it. */
final class Compression {

    private static final int HEAD = OutcomeKind.LENGTH + Integer.BYTES;

    /** No byte of a compressed text stands for more. */
    private static final long MOST_FOR_A_BYTE = 1032;

    private final @Nullable Integer above;
    private final int largest;

    Compression(CompressionConfiguration configuration) {
        this.above = configuration.getAbove();
        this.largest = configuration.getMaxSize();
        require("above", above == null ? 1 : above);
        require("max-size", largest);
    }

    private static void require(String property, int size) {
        if (size < 1) {
            throw new ConfigurationException(
                    CompressionConfiguration.PREFIX + "." + property + ": " + size + " is less than one byte");
        }
    }

    /** As it is where it is small, or would not become smaller. */
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
            throw new IOException("it would be expanded to " + length + " bytes, and " + CompressionConfiguration.PREFIX
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
}
