package io.idempotency.processor.rule;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.processor.compile.Compilation;
import io.idempotency.processor.compile.Payments;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UniqueNameRuleTest {

    @Test
    void aNameThatIsTakenIsReportedWithWhoTookIt() {
        assertThat(Payments.errors("""
                @IdempotentOperation("pay") void pay(String id) {}
                @IdempotentOperation("pay") void payAgain(String id) {}
                """))
                .containsExactly("Payments.java:11:22: Payments.payAgain: the name 'pay' is taken by"
                        + " demo.Payments.pay(java.lang.String). Give one of them another name; operations that shall"
                        + " share their keys have one namespace, not one name.");
    }

    @Test
    void operationsOfDifferentClassesAreComparedToo() {
        String other = "package other;\n@jakarta.inject.Singleton\npublic class Refunds {\n"
                + "@io.idempotency.IdempotentOperation(\"pay\") void refund(String id) {}\n}";
        assertThat(Compilation.of(Payments.with("@IdempotentOperation(\"pay\") void pay(String id) {}"), other)
                        .errors())
                .hasSize(1);
    }

    @Test
    void beansThatInheritOneMethodShareItsOperation() {
        String api =
                "package demo;\ninterface Api {\n@io.idempotency.IdempotentOperation(\"pay\") void pay(String id);\n}";
        String one =
                "package demo;\n@jakarta.inject.Singleton\nclass One implements Api {\npublic void pay(String id) {}\n}";
        String two =
                "package demo;\n@jakarta.inject.Singleton\nclass Two implements Api {\npublic void pay(String id) {}\n}";
        assertThat(Compilation.of(api, one, two).errors()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "@Requires(property = \"psp\", value = \"other\") | 0",
                "@Requires(env = \"a\") @Requires(env = \"b\") | 0",
                "@Replaces(Payments.class) | 0",
                "@Primary | 1",
            })
    void ofTwoClassesOnlyOneMayBecomeABean(String condition, int errors) {
        String other = "package demo;\nimport io.micronaut.context.annotation.*;\n" + condition
                + "\n@jakarta.inject.Singleton class Other {\n"
                + "@io.idempotency.IdempotentOperation(\"pay\") void pay(String id) {}\n}";
        String payments = Payments.with("@IdempotentOperation(\"pay\") void pay(String id) {}");
        assertThat(Compilation.of(payments, other).errors()).hasSize(errors);
        assertThat(Compilation.of(other, payments).errors()).hasSize(errors);
    }

    @Test
    void overloadsWithoutANameHaveDifferentOnes() {
        assertThat(Payments.compile("""
                @IdempotentOperation void pay(String id) {}
                @IdempotentOperation void pay(int id) {}
                """).load().definitions())
                .extracting(definition -> definition.name())
                .containsExactlyInAnyOrder("demo.Payments#pay(java.lang.String)", "demo.Payments#pay(int)");
    }
}
