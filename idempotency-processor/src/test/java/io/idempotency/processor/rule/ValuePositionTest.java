package io.idempotency.processor.rule;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.processor.compile.Compilation;
import io.idempotency.processor.compile.Payments;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A wrong value of an annotation is reported where it stands: after the mark. */
class ValuePositionTest {

    private static final char MARK = '§';

    @ParameterizedTest
    @ValueSource(
            strings = {
                "@IdempotentOperation(key = §\"x\") void pay(String id) {}",
                "@IdempotentOperation(key = §\"id\") void pay(@IdempotencyKey String id) {}",
                "@IdempotentOperation(key = §\"id\") void pay(double id) {}",
                "@IdempotentOperation(key = §\"#{ 'a' + env['b'] + 1 }\") void pay(String id) {}",
                "@IdempotentOperation(§\"Pay\") void pay(String id) {}",
                "@IdempotentOperation(value = \"pay\", namespace = §\"All Of It\") void pay(String id) {}",
                "@IdempotentOperation(key = \"id\", retention = §\"a day\") void pay(String id) {}",
                "@IdempotentOperation(lease = \"1h\", retention = §\"1m\") void pay(String id) {}",
                "@IdempotentOperation(key = \"id\", lease = §\"100ms\") void pay(String id) {}",
                "@IdempotentOperation(waitTimeout = §\"1s\", whenInProgress = WhenInProgress.REJECT) void pay(String id) {}",
                "@IdempotentOperation(keyRequired = §false) void pay(String id) {}",
                "@IdempotentOperation(noEffectFor = §{IllegalStateException.class, Exception.class}) void pay(String id) {}",
                "@IdempotentOperation(value = \"pay\", onAbandoned = OnAbandoned§.RECONCILE) void pay(String id) {}",
                "@IdempotentOperation(store = \"redis\", transactional = §true) void pay(String id) {}",
                "@Reconciles(§\"nothing\") Reconciliation<Void> find(String id) { return null; }",
                "@Reloads(§\"nothing\") String load(String id) { return null; }",
            })
    void theValueIsThePlace(String marked) {
        int column = marked.indexOf(MARK) + 1;
        Compilation compilation = Payments.compile(marked.replace(String.valueOf(MARK), ""));
        assertThat(reports(compilation)).singleElement().asString().startsWith("Payments.java:10:" + column + ": ");
    }

    @Test
    void ofASecondOperationItIsTheName() {
        assertThat(Payments.errors("@IdempotentOperation(\"pay\") void pay(String id) {}\n"
                        + "@IdempotentOperation(\"pay\") void payOut(String id) {}"))
                .singleElement()
                .asString()
                .startsWith("Payments.java:11:22: ");
    }

    @Test
    void anInheritedValueIsReportedWhereItWasWritten() {
        Compilation compilation = Compilation.of(
                "package demo;\ninterface Gateway {\n"
                        + "@io.idempotency.IdempotentOperation(key = \"x\") void pay(String id);\n}",
                "package demo;\n@jakarta.inject.Singleton class Stripe implements Gateway {\n"
                        + "@Override public void pay(String id) {}\n}");
        assertThat(compilation.errors()).singleElement().asString().startsWith("Gateway.java:3:43: Stripe.pay: ");
    }

    @Test
    void anAnnotationThatCarriesTheAnnotationLeavesTheMethod() {
        Compilation compilation = Compilation.of(
                "package demo;\n@io.idempotency.IdempotentOperation(key = \"x\")\n"
                        + "@java.lang.annotation.Retention(java.lang.annotation.RetentionPolicy.RUNTIME)\n@interface Once {}",
                "package demo;\n@jakarta.inject.Singleton class Stripe {\n@Once public void pay(String id) {}\n}");
        assertThat(compilation.errors()).singleElement().asString().startsWith("Stripe.java:3:19: Stripe.pay: ");
    }

    private static List<String> reports(Compilation compilation) {
        return Stream.concat(compilation.errors().stream(), compilation.warnings().stream())
                .toList();
    }
}
