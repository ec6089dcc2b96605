package io.idempotency.processor.rule;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.processor.compile.Compilation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StrayMarksTest {

    private static Compilation compile(String members) {
        return Compilation.of(
                "package demo;\nimport io.idempotency.*; import io.idempotency.fingerprint.*;\n@jakarta.inject.Singleton class Payments {\n"
                        + members + "\n}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "void pay(@IdempotencyKey String id) {} | @IdempotencyKey on 'id' of Payments.pay is read by nothing",
                "void pay(@NotFingerprinted String id) {} | @NotFingerprinted on 'id' of Payments.pay is read by nothing",
                "record Order(@IdempotencyKey String id) {} | Name the property's path",
                "Payments(@IdempotencyKey String id) {} | Name the property's path",
                "@NotFingerprinted void pay(String id) {} | Mark the parameter",
                "@NotFingerprinted @IdempotentOperation public String pay() { return null; } | Mark the parameter",
                "@NotFingerprinted static String now = null; | Remove it",
                "void pay(@FingerprintDefault(\"EUR\") String c) {} | @FingerprintDefault on 'c' of Payments.pay is read by nothing",
                "@FingerprintDefault(\"EUR\") void pay(String id) {} | @FingerprintDefault on Payments.pay is read by nothing",
                "@FingerprintDefault(\"EUR\") static String currency; | Remove it",
                "void pay(@FingerprintName(\"c\") String currency) {} | @FingerprintName on 'currency' of Payments.pay",
            })
    void aMarkThatNothingReadsIsAWarning(String members, String message) {
        Compilation compilation = compile(members);
        assertThat(compilation.errors()).isEmpty();
        assertThat(compilation.reportedWarnings())
                .filteredOn(warning -> warning.contains("[idempotency:nothingReads]"))
                .singleElement()
                .asString()
                .startsWith("Payments.java:4:")
                .contains(message);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "@IdempotentOperation void pay(@IdempotencyKey String id, @NotFingerprinted String trace) {}",
                "interface Gateway { void pay(@IdempotencyKey String id); }",
                "record Order(String id, @NotFingerprinted String trace) {}",
                "record Order(String id, @FingerprintDefault(\"EUR\") @FingerprintName(\"c\") String currency) {}",
                "@IdempotentOperation void pay(@IdempotencyKey String id, @FingerprintDefault(\"EUR\") String currency) {}",
                "@NotFingerprinted record Trace(String id) {}",
                "static class Order { @NotFingerprinted private String trace; public String getTrace() { return trace; } }",
                "static class Order { @NotFingerprinted public String getTrace() { return null; } }",
                "static class Order { String id; @NotFingerprinted transient String trace; public String getTrace() { return trace; } }",
            })
    void aMarkThatSomethingMayReadIsFine(String members) {
        assertThat(compile(members).warnings()).isEmpty();
    }

    @Test
    void anInterfacesMarksAreNotInheritedBesideAnAnnotationOfOnesOwn() {
        String gateway =
                "package demo;\nimport io.idempotency.*; import io.idempotency.fingerprint.*;\ninterface Gateway {\n"
                        + "%s void pay(@IdempotencyKey String id, @NotFingerprinted String trace);\n}";
        String stripe =
                "package demo;\nimport io.idempotency.*; import io.idempotency.fingerprint.*;\n@jakarta.inject.Singleton class Stripe implements Gateway {\n"
                        + "%s public void pay(String id, String trace) {}\n}";
        assertThat(Compilation.of(gateway.formatted(""), stripe.formatted("@IdempotentOperation"))
                        .reportedWarnings())
                .hasSize(2)
                .allMatch(warning ->
                        warning.startsWith("Stripe.java:4:") && warning.contains("[idempotency:nothingReads]"))
                .anyMatch(warning -> warning.contains("@IdempotencyKey on 'id' of Gateway.pay is read by nothing"));
        assertThat(Compilation.of(gateway.formatted("@IdempotentOperation"), stripe.formatted(""))
                        .warnings())
                .isEmpty();
    }

    @Test
    void ofAClientThatSendsKeysTheyAreRead() {
        assertThat(compile("@SendsIdempotencyKey String pay(@IdempotencyKey String id) { return null; }")
                        .reportedWarnings())
                .noneMatch(warning -> warning.contains("nothingReads"));
    }
}
