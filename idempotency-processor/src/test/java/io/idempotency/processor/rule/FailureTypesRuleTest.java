package io.idempotency.processor.rule;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.processor.compile.Payments;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FailureTypesRuleTest {

    @ParameterizedTest
    @ValueSource(strings = {"noEffectFor", "finalFor", "unknownFor"})
    void anExceptionThatGeneratedCodeCannotSeeIsReported(String list) {
        assertThat(Payments.errors("""
                @IdempotentOperation(%s = Declined.class) void pay(String id) {}
                private static class Declined extends RuntimeException {}
                """.formatted(list)))
                .singleElement()
                .asString()
                .startsWith("Payments.java:10:")
                .endsWith("Payments.pay: " + list + " names demo.Payments.Declined, which code in package demo cannot"
                        + " see, and that is where its definition is generated. Make it package-private there or"
                        + " public.");
    }

    @Test
    void exceptionsOfThePackageAreFine() {
        assertThat(Payments.errors("""
                @IdempotentOperation(noEffectFor = Declined.class, finalFor = java.io.IOException.class,
                    unknownFor = {Lost.class, ArithmeticException.class}) void pay(String id) {}
                static class Declined extends RuntimeException {}
                static class Lost extends Declined {}
                """)).isEmpty();
    }

    @Test
    void oneTypeInTwoListsIsReported() {
        assertThat(Payments.errors("""
                @IdempotentOperation(noEffectFor = Declined.class, unknownFor = {Error.class, Declined.class})
                void pay(String id) {}
                static class Declined extends RuntimeException {}
                """))
                .singleElement()
                .asString()
                .contains("Payments.pay: Declined is in noEffectFor and in unknownFor");
    }

    @ParameterizedTest
    @ValueSource(strings = {"Throwable", "Exception", "RuntimeException", "Error"})
    void aTypeThatEveryFailureIsProvesNothing(String type) {
        assertThat(Payments.errors("@IdempotentOperation(noEffectFor = " + type + ".class) void pay(String id) {}"))
                .singleElement()
                .asString()
                .contains("noEffectFor names " + type, "onFailure = RELEASE");
        assertThat(Payments.errors("@IdempotentOperation(unknownFor = " + type + ".class) void pay(String id) {}"))
                .isEmpty();
        assertThat(Payments.errors("@IdempotentOperation(finalFor = " + type + ".class) void pay(String id) {}"))
                .isEmpty();
    }
}
