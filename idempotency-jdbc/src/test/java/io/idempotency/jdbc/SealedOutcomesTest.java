package io.idempotency.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idempotency.IdempotencyExecutor;
import io.idempotency.PreviousAttemptFailedException;
import io.idempotency.ResultUnavailableException;
import io.idempotency.runtime.FailureSanitizer;
import io.idempotency.runtime.IdempotencyRecords;
import io.idempotency.runtime.IdempotencyRecords.Decision;
import io.idempotency.runtime.store.RecordState;
import io.idempotency.runtime.store.StoredRecord;
import io.micronaut.context.ApplicationContext;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.type.Argument;
import jakarta.inject.Singleton;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the rows of a table hold where outcomes are encrypted or compressed, and who can read them again. */
@Tag("thorough")
class SealedOutcomesTest {

    private static final String KEY = "idempotency.encryption.key";
    private static final String OTHERS = "idempotency.encryption.other-keys";
    private static final String ABOVE = "idempotency.compression.above";
    private static final String FIRST = key(1);
    private static final String SECOND = key(2);
    private static final String PERSONAL = "ada@example.com";

    private final Place place = Place.h2();
    private final AtomicInteger bodies = new AtomicInteger();

    /** Keeps messages, as an application may. */
    @Singleton
    @Requires(property = "test.sealed")
    static class Messages implements FailureSanitizer {
        @Override
        public String message(Throwable failure) {
            return failure.getMessage();
        }
    }

    private static String key(int seed) {
        byte[] bytes = new byte[32];
        bytes[0] = (byte) seed;
        return Base64.getEncoder().encodeToString(bytes);
    }

    private ApplicationContext node(Object... more) {
        Object[] all = new Object[more.length + 2];
        all[0] = "test.sealed";
        all[1] = true;
        System.arraycopy(more, 0, all, 2, more.length);
        return place.application(all);
    }

    private String pay(ApplicationContext node, String key) {
        return pay(node, key, PERSONAL);
    }

    private String pay(ApplicationContext node, String key, String result) {
        return node.getBean(IdempotencyExecutor.class).execute("pay", key, null, Argument.STRING, () -> {
            bodies.incrementAndGet();
            return result;
        });
    }

    private void fail(ApplicationContext node, String key, RuntimeException failure) {
        node.getBean(IdempotencyExecutor.class).execute("pay", key, null, Argument.STRING, () -> {
            bodies.incrementAndGet();
            throw failure;
        });
    }

    private String stored() {
        return place.ask("SELECT RAWTOHEX(result) FROM idempotency_record WHERE attempt > 0");
    }

    /** As somebody does who knows how to get past the checksum of the row: its first format had none. */
    private void store(String hex) {
        place.run("UPDATE idempotency_record SET format_version = 1, result = X'" + hex + "', result_size = "
                + hex.length() / 2 + " WHERE attempt > 0");
    }

    private void assertHidden() {
        String hex = HexFormat.of().formatHex(PERSONAL.getBytes(StandardCharsets.UTF_8));
        assertThat(place.ask("SELECT LISTAGG(RAWTOHEX(COALESCE(result, X''))) FROM idempotency_record"))
                .doesNotContainIgnoringCase(hex);
        assertThat(place.ask(
                        "SELECT LISTAGG(CONCAT_WS('|', result_omitted, failure_type, failure_message, failure_code,"
                                + " doubt)) FROM idempotency_record"))
                .doesNotContain(PERSONAL)
                .doesNotContain(Base64.getEncoder().encodeToString(PERSONAL.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void theTableHoldsNothingThatCanBeReadWithoutTheKey() {
        try (ApplicationContext node = node(KEY, FIRST)) {
            assertThat(pay(node, "result")).isEqualTo(PERSONAL).isEqualTo(pay(node, "result"));
            assertThat(pay(node, "void", null)).isNull();
            assertThat(pay(node, "void", null)).isNull();
            assertThatThrownBy(() -> fail(node, "failure", new IllegalStateException(PERSONAL)))
                    .isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> fail(node, "failure", new IllegalStateException("again")))
                    .isInstanceOf(PreviousAttemptFailedException.class)
                    .hasMessageContaining(IllegalStateException.class.getName())
                    .hasMessageContaining(PERSONAL);
            assertThatThrownBy(() -> fail(node, "doubt", new CancellationException(PERSONAL)))
                    .isInstanceOf(CancellationException.class);
            assertThat(bodies).hasValue(4);
        }
        assertHidden();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "\u0001sealed:abc", "\ud83d\ude00"})
    void whatAnOldMessageLooksLikeDoesNotMatter(String unit) {
        String message = unit.repeat(2500 / Math.max(1, unit.length()));
        for (Object[] settings : List.of(new Object[0], new Object[] {KEY, FIRST})) {
            try (ApplicationContext node = node(settings)) {
                String key = "k" + settings.length;
                assertThatThrownBy(() -> fail(node, key, new IllegalStateException(message)))
                        .isInstanceOf(IllegalStateException.class);
                assertThatThrownBy(() -> fail(node, key, new IllegalStateException("again")))
                        .isInstanceOf(PreviousAttemptFailedException.class)
                        .satisfies(
                                refused -> assertThat(refused.getSuppressed()).isEmpty());
            }
        }
        assertThat(bodies).hasValue(2);
    }

    @Test
    void aRecordOfAnotherKeyIsReadByWhoKnowsItAndRefusedByWhoDoesNot() {
        try (ApplicationContext node = node(KEY, FIRST)) {
            pay(node, "k");
        }
        try (ApplicationContext node = node(KEY, SECOND, OTHERS, List.of(FIRST))) {
            assertThat(pay(node, "k")).isEqualTo(PERSONAL);
            pay(node, "k2");
        }
        for (Object[] settings : List.of(new Object[0], new Object[] {KEY, SECOND})) {
            try (ApplicationContext node = node(settings)) {
                assertThatThrownBy(() -> pay(node, "k"))
                        .isInstanceOf(ResultUnavailableException.class)
                        .hasMessageContaining("the body ran, and its recorded outcome cannot be read")
                        .hasMessageContaining("which this node does not have")
                        .hasMessageContaining("idempotency.encryption.other-keys");
            }
        }
        try (ApplicationContext node = node(KEY, FIRST, OTHERS, List.of(SECOND))) {
            assertThat(pay(node, "k2")).isEqualTo(PERSONAL);
        }
        assertThat(bodies).hasValue(2);
    }

    @Test
    void recordsFromBeforeAreReplayedUntilTheConfigurationRefusesThem() {
        try (ApplicationContext node = node()) {
            pay(node, "k");
            assertThatThrownBy(() -> fail(node, "failed", new IllegalStateException(PERSONAL)))
                    .isInstanceOf(IllegalStateException.class);
        }
        try (ApplicationContext node = node(KEY, FIRST)) {
            assertThat(pay(node, "k")).isEqualTo(PERSONAL);
            assertThatThrownBy(() -> pay(node, "failed")).hasMessageContaining(PERSONAL);
        }
        try (ApplicationContext node = node(KEY, FIRST, "idempotency.encryption.required", true)) {
            assertThatThrownBy(() -> pay(node, "k"))
                    .isInstanceOf(ResultUnavailableException.class)
                    .hasMessageContaining("it is not encrypted, and idempotency.encryption.required says that all are");
            assertThatThrownBy(() -> pay(node, "failed"))
                    .isInstanceOf(PreviousAttemptFailedException.class)
                    .hasMessageNotContaining(PERSONAL)
                    .hasStackTraceContaining("it is not encrypted");
            pay(node, "new");
            assertThat(pay(node, "new")).isEqualTo(PERSONAL);
        }
        assertThat(bodies).hasValue(3);
    }

    @ParameterizedTest
    @ValueSource(strings = {KEY, ABOVE})
    void whateverIsChangedOrCutOffNeverRunsTheBodyAgain(String property) {
        String result = PERSONAL.repeat(3);
        boolean encrypted = property.equals(KEY);
        try (ApplicationContext node =
                encrypted ? node(KEY, FIRST, "idempotency.encryption.required", true) : node(ABOVE, "10")) {
            pay(node, "k", result);
            String stored = stored();
            for (int i = 0; i < stored.length(); i += 2) {
                int changed = Integer.parseInt(stored.substring(i, i + 2), 16) ^ 1;
                store(stored.substring(0, i) + "%02x".formatted(changed) + stored.substring(i + 2));
                if (encrypted) {
                    assertThatThrownBy(() -> pay(node, "k")).isInstanceOf(ResultUnavailableException.class);
                } else {
                    refusedOrAnswered(node);
                }
                store(stored.substring(0, i));
                if (encrypted || i > 0) { // nothing at all is what null is stored as
                    assertThatThrownBy(() -> pay(node, "k", result)).isInstanceOf(ResultUnavailableException.class);
                }
            }
            store(stored);
            assertThat(pay(node, "k")).isEqualTo(result);
        }
        assertThat(bodies).hasValue(1);
    }

    /** A changed byte of a text that is not encrypted may be another letter. */
    private void refusedOrAnswered(ApplicationContext node) {
        try {
            assertThat(pay(node, "k")).isNotNull();
        } catch (ResultUnavailableException e) {
            assertThat(e).hasMessageNotContaining("succeeded and");
        }
    }

    @Test
    void anOutcomeCannotBeMovedToAnotherRecord() {
        try (ApplicationContext node = node(KEY, FIRST)) {
            pay(node, "mine");
            pay(node, "yours", "bob@example.org");
            place.run("UPDATE idempotency_record SET format_version = 1, (result, result_size) ="
                    + " (SELECT MIN(result), MIN(result_size) FROM idempotency_record WHERE attempt > 0)"
                    + " WHERE attempt > 0");
            AtomicInteger refused = new AtomicInteger();
            for (String key : List.of("mine", "yours")) {
                try {
                    pay(node, key);
                } catch (ResultUnavailableException e) {
                    assertThat(e).hasMessageContaining("its encrypted bytes were changed, or are another record's");
                    refused.incrementAndGet();
                }
            }
            assertThat(refused).hasValue(1);
        }
        assertThat(bodies).hasValue(2);
    }

    @Test
    void largeOutcomesAreStoredSmallAndSmallOnesAsTheyAre() {
        String large = "abc".repeat(10_000);
        try (ApplicationContext node = node(ABOVE, "1KB", "idempotency.max-result-size", 1000)) {
            assertThat(pay(node, "large", large)).isEqualTo(pay(node, "large"));
            assertThat(stored().length() / 2).isLessThan(1000);
        }
        // the limit holds where it is expanded too, whoever wrote it
        try (ApplicationContext node = node("idempotency.compression.max-size", "10KB")) {
            assertThatThrownBy(() -> pay(node, "large"))
                    .isInstanceOf(ResultUnavailableException.class)
                    .hasMessageContaining("idempotency.compression.max-size permits 10240");
        }
        try (ApplicationContext node = node(ABOVE, "1KB")) {
            assertThat(pay(node, "large")).isEqualTo(large);
            place.run("DELETE FROM idempotency_record");
            pay(node, "small", "small");
            assertThat(stored())
                    .isEqualToIgnoringCase(HexFormat.of().formatHex("\"small\"".getBytes(StandardCharsets.UTF_8)));
        }
    }

    @Test
    void aForgedLengthTakesNoMemory() {
        try (ApplicationContext node = node(ABOVE, "10")) {
            pay(node, "k", PERSONAL.repeat(3));
            String stored = stored();
            store(stored.substring(0, 10) + "7fffffff" + stored.substring(18));
            assertThatThrownBy(() -> pay(node, "k"))
                    .isInstanceOf(ResultUnavailableException.class)
                    .hasMessageContaining("its compressed bytes are cut off or changed");
        }
        assertThat(bodies).hasValue(1);
    }

    @Test
    void compressedAndEncryptedInOneTransactionWithTheBody() {
        place.run("CREATE TABLE ledger (entry VARCHAR(100), amount INT)");
        try (ApplicationContext node = node(KEY, FIRST, ABOVE, "10", "test.ledger", true)) {
            Ledger ledger = node.getBean(Ledger.class);
            assertThat(ledger.book("e1", 1)).isEqualTo(ledger.book("e1", 1));
            assertThat(ledger.bodies).hasValue(1);
            assertThat(stored()).startsWithIgnoringCase("fffe696445");
        }
    }

    @Test
    void whatAnOperatorSettlesIsSealedToo() {
        try (ApplicationContext node = node(KEY, FIRST)) {
            assertThatThrownBy(() -> fail(node, "k", new CancellationException("cut off")))
                    .isInstanceOf(CancellationException.class);
            StoredRecord doubt = Calls.get(Calls.store(node).list(RecordState.IN_DOUBT, Duration.ZERO, 1))
                    .get(0);
            node.getBean(IdempotencyRecords.class)
                    .settle(
                            doubt.id(),
                            new Decision(
                                    doubt.fence(),
                                    IdempotencyRecords.AuditEntry.Outcome.COMPLETED,
                                    ("\"" + PERSONAL + "\"").getBytes(StandardCharsets.UTF_8),
                                    "operator-1",
                                    "found"));
            assertHidden();
            assertThat(pay(node, "k")).isEqualTo(PERSONAL);
        }
        assertThat(bodies).hasValue(1);
    }

    @Test
    void whatCannotBeAKeyStopsTheStart() {
        for (String bad : List.of("secret", "!!!!", Base64.getEncoder().encodeToString(new byte[16]))) {
            assertThatThrownBy(() -> node(KEY, bad).close())
                    .hasStackTraceContaining("idempotency.encryption.key: it is not 32 bytes in Base64")
                    .hasStackTraceContaining("openssl rand -base64 32");
        }
        assertThatThrownBy(() -> node("idempotency.encryption.required", true).close())
                .hasStackTraceContaining("idempotency.encryption.required: it is true and there is no");
        assertThatThrownBy(() -> node(ABOVE, 0).close())
                .hasStackTraceContaining("idempotency.compression.above: 0 is less than 1");
    }
}
