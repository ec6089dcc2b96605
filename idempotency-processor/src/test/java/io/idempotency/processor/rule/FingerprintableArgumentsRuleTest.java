package io.idempotency.processor.rule;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.processor.compile.Payments;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FingerprintableArgumentsRuleTest {

    @Test
    void theWholePathIsNamedAtTheParameter() {
        assertThat(Payments.errors("""
                @IdempotentOperation void pay(Order order) {}
                record Order(String id, Map<String, Extra> extras) {}
                record Extra(Object value) {}
                """))
                .containsExactly(
                        "Payments.java:10:37: Payments.pay: 'order.extras.value.value' of type java.lang.Object"
                                + " cannot be fingerprinted: it can hold anything. Declare a concrete type, or JsonNode for free-form JSON, or mark it"
                                + " @NotFingerprinted.");
    }

    @Test
    void everyArgumentThatCannotBeFingerprintedIsReported() {
        assertThat(Payments.errors("@IdempotentOperation void pay(Object a, Runnable b) {}"))
                .hasSize(2);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Runnable | it is abstract",
                "List<?> | it can hold anything",
                "List<? super Integer> | it can hold anything",
                "Map<String, Object> | it can hold anything",
                "Number | it is abstract",
                "CompletableFuture<String> | it is not there yet",
                "java.io.InputStream | reading it would use it up",
                "Iterator<String> | reading it would use it up",
                "Random | it has no canonical form",
                "Hidden | its field secret cannot be read",
                "Opaque | it has no properties that can be read",
                "Inner | code in package demo cannot see it",
                "Grow<String> | grow without end",
            })
    void whyAndWhatToDoIsSaid(String type, String why) {
        List<String> errors = Payments.errors("@IdempotentOperation void pay(" + type + " argument) {}" + """
                record Grow<T>(Grow<List<T>> next) {}
                private record Inner(String id) {}
                static class Opaque {}
                static class Hidden {
                    private final String secret = "s";
                    public String getName() { return "n"; }
                }
                """);
        assertThat(errors).singleElement().asString().contains(why, "@NotFingerprinted");
    }

    @Test
    void whatIsMarkedIsNotReported() {
        assertThat(Payments.errors("""
                @IdempotentOperation void pay(@NotFingerprinted Object trace, Order order, Clock clock) {}
                record Order(@NotFingerprinted Object extra, Clock clock) {}
                @NotFingerprinted interface Clock {}
                """)).isEmpty();
    }
}
