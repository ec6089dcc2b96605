package io.idempotency.runtime.secrets;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.idempotency.runtime.outcome.OutcomeKind;
import io.idempotency.runtime.outcome.RecordedFailure;
import io.idempotency.runtime.store.RecordId;
import io.idempotency.runtime.store.StoredFailure;
import io.idempotency.test.fuzz.Fuzz;
import io.idempotency.test.fuzz.Input;
import io.micronaut.context.ApplicationContext;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Bytes of outcomes that were damaged or forged open to what was sealed, or not at all, and cost little memory. */
class SealFuzzTest {

    /** Of a failure's message that is sealed. */
    private static final String PREFIX = "\u0001sealed:";

    private static final RecordId ID = RecordId.of("pay", null, null, "k");
    private static final RecordId OTHER = RecordId.of("pay", null, null, "other");
    private static final int LARGEST = 64 * 1024;

    /** Of an outcome of at most {@link #LARGEST}, its copies, and what a provider of ciphers takes. */
    private static final long MEMORY = 4L << 20;

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private static ApplicationContext application(boolean encrypted) {
        Map<String, Object> properties =
                new HashMap<>(Map.of("idempotency.compression.above", 20, "idempotency.compression.max-size", LARGEST));
        if (encrypted) {
            properties.put("idempotency.encryption.key", "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=");
            properties.put("idempotency.encryption.required", true);
        }
        return ApplicationContext.run(properties);
    }

    private static byte[] outcome(Input input) {
        return input.oneIn(2)
                ? input.bytes(200)
                : input.text(20).repeat(input.below(50)).getBytes(UTF_8);
    }

    @Test
    void whatIsEncryptedOpensToWhatItWasOrNotAtAll() {
        try (ApplicationContext application = application(true)) {
            OutcomeSeal seal = application.getBean(OutcomeSeal.class);
            Fuzz.inputs(2_000, input -> {
                byte[] outcome = outcome(input);
                byte[] sealed = seal.seal(ID, outcome);
                assertThat(seal.open(ID, sealed)).isEqualTo(outcome);
                byte[] changed = input.oneIn(8) ? input.bytes(100) : input.changed(sealed);
                byte[] opened = opened(seal, input.oneIn(8) ? OTHER : ID, changed);
                assertThat(opened == null || Arrays.equals(opened, outcome)).isTrue();
            });
        }
    }

    @Test
    void whatIsCompressedNeverGrowsBeyondWhatIsPermitted() {
        try (ApplicationContext application = application(false)) {
            OutcomeSeal seal = application.getBean(OutcomeSeal.class);
            Fuzz.inputs(10_000, input -> {
                byte[] sealed = seal.seal(ID, outcome(input));
                byte[] changed = input.oneIn(4) ? forged(input) : input.changed(sealed);
                byte[] opened = opened(seal, ID, changed);
                assertThat(opened == null ? 0 : opened.length).isLessThanOrEqualTo(Math.max(LARGEST, changed.length));
            });
        }
    }

    /** A length that is a lie, in front of bytes that may be compressed. */
    private static byte[] forged(Input input) {
        byte[] rest = input.bytes(60);
        return ByteBuffer.allocate(OutcomeKind.LENGTH + Integer.BYTES + rest.length)
                .put(OutcomeKind.COMPRESSED.mark())
                .putInt((int) input.number())
                .put(rest)
                .array();
    }

    @Test
    void aFailureIsReadAsItWasRecordedOrRefused() {
        try (ApplicationContext application = application(true)) {
            OutcomeSeal seal = application.getBean(OutcomeSeal.class);
            Fuzz.inputs(5_000, input -> {
                StoredFailure failure = new StoredFailure("Declined", input.text(60), input.text(10));
                byte[] encoded = new RecordedFailure(failure, input.bytes(50)).encoded();
                cheap(() -> RecordedFailure.in(input.changed(encoded)));

                String sealed =
                        String.valueOf(RecordedFailure.sealed(seal, ID, failure).message());
                byte[] text = input.oneIn(2)
                        ? input.changed(sealed.substring(PREFIX.length()).getBytes(UTF_8))
                        : Base64.getEncoder().encode(input.bytes(60));
                StoredFailure changed = new StoredFailure("Declined", PREFIX + new String(text, UTF_8), null);
                StoredFailure opened = cheap(() -> RecordedFailure.opened(seal, ID, changed));
                assertThat(opened)
                        .isIn(null, new StoredFailure("Declined", utf8(failure.message()), utf8(failure.code())));
            });
        }
    }

    private static String utf8(String text) {
        return new String(text.getBytes(UTF_8), UTF_8);
    }

    private static byte[] opened(OutcomeSeal seal, RecordId id, byte[] bytes) {
        return cheap(() -> seal.open(id, bytes));
    }

    @FunctionalInterface
    private interface Reading<T> {
        T read() throws IOException;
    }

    /** Null for what is refused. */
    private static <T> T cheap(Reading<T> reading) {
        long thread = Thread.currentThread().getId();
        long before = THREADS.getThreadAllocatedBytes(thread);
        T read;
        try {
            read = reading.read();
        } catch (IOException refused) {
            read = null;
        }
        assertThat(THREADS.getThreadAllocatedBytes(thread) - before).isLessThan(MEMORY);
        return read;
    }
}
