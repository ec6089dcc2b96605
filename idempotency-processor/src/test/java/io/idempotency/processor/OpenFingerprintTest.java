package io.idempotency.processor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idempotency.definition.FingerprintWriter;
import io.idempotency.definition.OpenValues;
import io.idempotency.processor.compile.Compilation;
import io.idempotency.processor.compile.Compiled;
import io.idempotency.processor.compile.Payments;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OpenFingerprintTest {

    /** Stands for the run time's way to write what generated code cannot. */
    private static final OpenValues AS_TEXT = (value, writer) -> writer.typed("open", value.toString());

    private static Compiled load(String members) {
        return Compilation.of(Payments.with(members)).load();
    }

    private static byte[] written(Compiled payments, Object... arguments) {
        FingerprintWriter writer = new FingerprintWriter(AS_TEXT);
        payments.definition().fingerprint(arguments, writer);
        return writer.toByteArray();
    }

    @Test
    void valuesOfOpenTypesAreLeftToTheRunTimeAndAllOthersAreNot() {
        Compiled payments = load("""
                @IdempotentOperation void pay(Order order) {}
                record Order(String id, Map<String, Object> extras, List<?> more, Number amount) {}
                """);
        Object order = payments.create("demo.Payments$Order", "o-1", Map.of("k", 1), Arrays.asList("m", null), null);

        FingerprintWriter expected = new FingerprintWriter(AS_TEXT);
        expected.name("order");
        expected.begin();
        expected.name("extras");
        expected.map(Map.of("k", "1"), (key, to) -> to.text(key), (value, to) -> to.typed("open", value));
        expected.name("id");
        expected.text("o-1");
        expected.name("more");
        expected.list(List.of(true, false), (present, to) -> {
            if (present) {
                to.typed("open", "m");
            } else {
                to.nil();
            }
        });
        expected.end();
        assertThat(written(payments, order)).isEqualTo(expected.toByteArray());
    }

    @Test
    void anOpenBranchOfAClosedHierarchyKeepsItsName() {
        Compiled payments = load("""
                @IdempotentOperation void pay(Means means) {}
                sealed interface Means permits Card, Other {}
                record Card(String number) implements Means {}
                non-sealed interface Other extends Means { String id(); }
                record Voucher(String id) implements Other {}
                """);
        Object voucher = payments.create("demo.Payments$Voucher", "v");

        FingerprintWriter expected = new FingerprintWriter(AS_TEXT);
        expected.name("means");
        expected.subtype("Other");
        expected.open(voucher);
        assertThat(written(payments, voucher)).isEqualTo(expected.toByteArray());
    }

    @Test
    void withoutARunTimeThatWritesThemOpenValuesAreRefused() {
        Compiled payments = load("@IdempotentOperation void pay(Object order) {}");

        assertThatThrownBy(() -> payments.fingerprint("o-1"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("java.lang.String")
                .hasMessageContaining("The body did not run");
    }
}
