package io.idempotency.runtime.intercept;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.idempotency.IdempotencyException;
import io.idempotency.IdempotentOperation;
import io.idempotency.test.fuzz.Fuzz;
import io.idempotency.test.fuzz.Input;
import io.micronaut.context.annotation.Property;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Any key and any argument: one run for equal ones, or a refusal before the body. */
@MicronautTest(startApplication = false)
@Property(name = "test.key-fuzz", value = "true")
class KeyFuzzTest {

    record Order(@Nullable Object value) {
        @Nullable
        Object part() {
            if (value instanceof RuntimeException failure) {
                throw failure;
            }
            return value;
        }
    }

    @Singleton
    @Requires(property = "test.key-fuzz")
    static class Keyed {

        int bodies;

        @IdempotentOperation(value = "fuzz-text-key", key = "key")
        int text(@Nullable String key) {
            return ++bodies;
        }

        @IdempotentOperation(value = "fuzz-decimal-key", key = "key")
        int decimal(@Nullable BigDecimal key) {
            return ++bodies;
        }

        @IdempotentOperation(value = "fuzz-integer-key", key = "key")
        int integer(@Nullable BigInteger key) {
            return ++bodies;
        }

        @IdempotentOperation(value = "fuzz-expression", key = "#{ order.part() }")
        int expression(Order order) {
            return ++bodies;
        }

        @IdempotentOperation("fuzz-arguments")
        int arguments(@Nullable BigDecimal amount, @Nullable Object more) {
            return ++bodies;
        }
    }

    @Inject
    Keyed keyed;

    @Test
    void equalKeysAreOneRunOrRefused() {
        Fuzz.inputs(3_000, input -> {
            String text = input.oneIn(20) ? null : input.text(300);
            BigDecimal decimal = decimal(input);
            Object open = open(input, 0);
            Supplier<Integer> call = input.one(List.<Supplier<Integer>>of(
                    () -> keyed.text(text),
                    () -> keyed.decimal(decimal),
                    () -> keyed.integer(decimal.unscaledValue()),
                    () -> keyed.expression(new Order(open)),
                    () -> keyed.arguments(decimal, open)));
            int before = keyed.bodies;
            Throwable refused = catchThrowable(() -> assertThat(call.get()).isEqualTo(call.get()));
            if (refused != null) {
                assertThat(refused).isInstanceOfAny(IdempotencyException.class, IllegalArgumentException.class);
                assertThat(keyed.bodies).isEqualTo(before);
            }
        });
    }

    private static BigDecimal decimal(Input input) {
        int scale = input.oneIn(2) ? (int) input.number() : input.below(40) - 20;
        BigInteger unscaled =
                input.oneIn(2) ? BigInteger.valueOf(input.number()) : new BigInteger(input.one(-1, 1), input.bytes(30));
        return new BigDecimal(unscaled.multiply(BigInteger.TEN.pow(input.below(25))), scale);
    }

    /** What JSON can be read as. */
    private static @Nullable Object open(Input input, int depth) {
        return switch (input.below(depth > 3 ? 5 : 8)) {
            case 0 -> null;
            case 1 -> input.text(20);
            case 2 -> input.number();
            case 3 -> input.one(Double.NaN, -0.0, Double.MAX_VALUE, Float.MIN_VALUE);
            case 4 -> decimal(input);
            case 5 -> input.oneIn(3) ? new IllegalStateException("no part") : List.of();
            case 6 -> {
                List<Object> list = new ArrayList<>();
                for (int i = input.below(4); i > 0; i--) {
                    list.add(open(input, depth + 1));
                }
                yield list;
            }
            default -> {
                Map<Object, Object> map = new HashMap<>();
                for (int i = input.below(4); i > 0; i--) {
                    map.put(input.oneIn(5) ? open(input, depth + 1) : input.text(5), open(input, depth + 1));
                }
                yield map;
            }
        };
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1e1000000000",
                "-1e1000000000",
                "1e-1000000000",
                "1e2147483647",
                "100e2147483647",
                "10000000000000000000e2147483647",
                "1e-2147483647"
            })
    void aNumberThatNoMemoryHoldsIsAKeyAndAnArgumentOrRefused(String number) {
        BigDecimal value = new BigDecimal(number);
        for (Supplier<Integer> call : List.<Supplier<Integer>>of(
                () -> keyed.text(number),
                () -> keyed.decimal(value),
                () -> keyed.expression(new Order(value)),
                () -> keyed.arguments(value, null),
                () -> keyed.arguments(null, value),
                () -> keyed.arguments(null, Map.of("amount", List.of(value))))) {
            Throwable refused = catchThrowable(() -> assertThat(call.get()).isEqualTo(call.get()));
            assertThat(refused == null
                            || refused instanceof IdempotencyException
                            || refused instanceof IllegalArgumentException)
                    .as("%s", refused)
                    .isTrue();
        }
    }

    @Test
    void whatNestsTwoHundredThousandLevelsIsRefusedBeforeTheBody() {
        Object list = "x";
        Object map = "x";
        for (int i = 0; i < 200_000; i++) {
            list = new ArrayList<>(List.of(list));
            map = new HashMap<>(Map.of("a", map));
        }
        int before = keyed.bodies;
        Object[] both = {list, map};
        for (Object value : both) {
            assertThat(catchThrowable(() -> keyed.arguments(null, value)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("did not run");
            assertThat(catchThrowable(() -> keyed.expression(new Order(value))))
                    .isInstanceOf(IllegalArgumentException.class);
        }
        assertThat(keyed.bodies).isEqualTo(before);
    }
}
