package io.idempotency.runtime.intercept;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.IdempotencyException;
import io.idempotency.IdempotentOperation;
import io.idempotency.ResultUnavailableException;
import io.idempotency.runtime.memory.MemoryIdempotencyStore;
import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.ClaimResult;
import io.idempotency.runtime.store.ForwardingStore;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.RecordId;
import io.idempotency.runtime.store.RecordState;
import io.idempotency.runtime.store.StoredArguments;
import io.idempotency.runtime.store.StoredFailure;
import io.idempotency.runtime.store.StoredRecord;
import io.idempotency.runtime.store.StoredResult;
import io.idempotency.test.fuzz.Fuzz;
import io.idempotency.test.fuzz.Input;
import io.micronaut.context.ApplicationContext;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.inject.qualifiers.Qualifiers;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.inject.Singleton;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A store that answers with records which somebody changed: their results as they were, or refusals, and no body runs again. */
class RecordFuzzTest {

    private static final int DEEP = 200_000;

    /** What is recorded names it, and nothing may load it. */
    static final class Trap {
        static {
            Loaded.trap = true;
        }

        private Trap() {}
    }

    static final class Loaded {
        static volatile boolean trap;

        private Loaded() {}
    }

    @Serdeable
    record Paid(
            @Nullable BigDecimal amount,
            @Nullable BigInteger count,
            @Nullable Long number,
            @Nullable Map<String, String> more,
            @Nullable List<Paid> parts) {}

    static final class Declined extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Declined() {
            super("no funds");
        }
    }

    @Singleton
    @Requires(property = "test.record-fuzz")
    static class Payments {

        int bodies;

        @IdempotentOperation(value = "fuzz-pay", key = "key")
        @Nullable
        Paid pay(String key) {
            bodies++;
            return new Paid(BigDecimal.ONE, BigInteger.TEN, 1L, Map.of("a", "b"), List.of());
        }

        @IdempotentOperation(value = "fuzz-amounts", key = "key")
        @Nullable
        Map<String, List<BigDecimal>> amounts(String key) {
            bodies++;
            return Map.of("a", List.of(BigDecimal.TEN));
        }

        @IdempotentOperation(value = "fuzz-decline", key = "key")
        void decline(String key) {
            bodies++;
            throw new Declined();
        }
    }

    /** Memory, and another record than is in it. */
    private static final class ChangingStore extends ForwardingStore {

        private @Nullable UnaryOperator<StoredRecord> change;

        ChangingStore() {
            super(new MemoryIdempotencyStore());
        }

        @Override
        public ClaimResult claim(Claim claim) {
            ClaimResult result = super.claim(claim);
            return result instanceof ClaimResult.Duplicate duplicate && change != null
                    ? ClaimResult.of(claim, change.apply(duplicate.record()))
                    : result;
        }

        @Override
        public Optional<StoredRecord> find(RecordId id) {
            return super.find(id).map(record -> change == null ? record : change.apply(record));
        }
    }

    private static StoredRecord changed(Input input, StoredRecord record) {
        boolean otherState = input.oneIn(8);
        StoredResult result = record.result() == null ? null : changed(input, record.result());
        StoredFailure failure = record.failure() == null ? null : changed(input, record.failure());
        return new StoredRecord(
                record.id(),
                record.operation(),
                input.oneIn(8)
                        ? new String(input.changed(record.fingerprint().getBytes(UTF_8)), UTF_8)
                        : record.fingerprint(),
                otherState ? input.one(RecordState.values()) : record.state(),
                input.oneIn(8) ? input.text(10) : record.owner(),
                input.oneIn(8) ? input.number() : record.fence(),
                input.oneIn(8) ? (int) input.number() : record.attempt(),
                record.claimedAt(),
                record.leaseUntil(),
                record.settledAt(),
                record.expiresAt(),
                record.readAt(),
                result,
                failure,
                input.oneIn(8) ? input.text(20) : record.doubt(),
                input.oneIn(8) ? new StoredArguments(input.bytes(40)) : null);
    }

    private static StoredResult changed(Input input, StoredResult result) {
        byte[] bytes = ((StoredResult.Present) result).bytes();
        return switch (input.below(5)) {
            case 0 -> new StoredResult.Omitted(input.text(20), input.number());
            case 1 -> new StoredResult.Present(input.bytes(60));
            case 2 -> new StoredResult.Present(input.changed(bytes));
            case 3 -> new StoredResult.Present(("{\"@class\":\"" + Trap.class.getName() + "\"}").getBytes(UTF_8));
            default ->
                new StoredResult.Present(
                        input.json("amount", "count", "number", "more", "parts").getBytes(UTF_8));
        };
    }

    private static StoredFailure changed(Input input, StoredFailure failure) {
        return new StoredFailure(
                input.one(failure.type(), input.text(30), Trap.class.getName(), ""),
                input.oneIn(2) ? "\u0001sealed:" + input.text(40) : input.text(30),
                input.oneIn(2) ? null : input.text(10));
    }

    private static ApplicationContext application(IdempotencyStore store, boolean encrypted) {
        Map<String, Object> properties = new HashMap<>(Map.of(
                "test.record-fuzz",
                true,
                "idempotency.store",
                "changing",
                "idempotency.on-store-failure",
                "PROCEED",
                "idempotency.compression.above",
                100));
        if (encrypted) {
            properties.put("idempotency.encryption.key", "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=");
            properties.put("idempotency.encryption.required", true);
        }
        ApplicationContext application =
                ApplicationContext.builder().properties(properties).build();
        application.registerSingleton(IdempotencyStore.class, store, Qualifiers.byName("changing"));
        return application.start();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aChangedRecordIsReplayedOrRefusedAndNoBodyRunsAgain(boolean encrypted) {
        ChangingStore store = new ChangingStore();
        try (ApplicationContext application = application(store, encrypted)) {
            Payments payments = application.getBean(Payments.class);
            Fuzz.inputs(200, input -> {
                String key = "k" + input.number() + input.number();
                List<Supplier<Object>> calls = List.of(() -> payments.pay(key), () -> payments.amounts(key), () -> {
                    payments.decline(key);
                    return "";
                });
                Supplier<Object> call = input.one(calls);
                store.change = null;
                Object first = outcome(call);
                int bodies = payments.bodies;
                store.change = record -> changed(input, record);
                Object again = outcome(call);
                assertThat(payments.bodies).isEqualTo(bodies);
                if (encrypted && !(again instanceof IdempotencyException)) {
                    assertThat(again).isEqualTo(first);
                }
            });
            assertThat(Loaded.trap).isFalse();
        }
    }

    static Stream<String> hostile() {
        Stream<String> values = Stream.of(
                "1e1000000000",
                "-1e1000000000",
                "1e-1000000000",
                "100e2147483647",
                "9".repeat(5000),
                "[".repeat(DEEP) + "]".repeat(DEEP),
                "{\"more\":".repeat(DEEP) + "1" + "}".repeat(DEEP),
                "[" + "{\"parts\":[".repeat(DEEP) + "]}".repeat(DEEP) + "]");
        List<String> names = List.of("amount", "count", "number", "more", "parts", "unknown");
        return values.flatMap(value ->
                Stream.concat(Stream.of(value), names.stream().map(name -> "{\"" + name + "\":" + value + "}")));
    }

    /** An error of the reader would be one of the call. */
    @Test
    void aResultThatIsMadeToBreakItsReaderIsReplayedOrRefused() {
        ChangingStore store = new ChangingStore();
        try (ApplicationContext application = application(store, false)) {
            Payments payments = application.getBean(Payments.class);
            payments.pay("k");
            payments.amounts("k");
            hostile().forEach(json -> {
                store.change = record -> with(record, new StoredResult.Present(json.getBytes(UTF_8)));
                for (Supplier<Object> call :
                        List.<Supplier<Object>>of(() -> payments.pay("k"), () -> payments.amounts("k"))) {
                    Object again = outcome(call);
                    assertThat(again).isInstanceOfAny(Paid.class, Map.class, ResultUnavailableException.class);
                }
            });
            assertThat(payments.bodies).isEqualTo(2);
        }
    }

    private static StoredRecord with(StoredRecord record, StoredResult result) {
        return new StoredRecord(
                record.id(),
                record.operation(),
                record.fingerprint(),
                record.state(),
                record.owner(),
                record.fence(),
                record.attempt(),
                record.claimedAt(),
                record.leaseUntil(),
                record.settledAt(),
                record.expiresAt(),
                record.readAt(),
                result,
                null,
                null,
                null);
    }

    private static @Nullable Object outcome(Supplier<@Nullable Object> call) {
        try {
            return call.get();
        } catch (IdempotencyException refused) {
            assertThat(refused.executed()).isNotNull();
            return refused;
        } catch (Declined declined) {
            return declined;
        }
    }
}
