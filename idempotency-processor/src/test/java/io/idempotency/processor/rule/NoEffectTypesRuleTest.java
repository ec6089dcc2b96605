package io.idempotency.processor.rule;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.processor.compile.Payments;
import org.junit.jupiter.api.Test;

class NoEffectTypesRuleTest {

    @Test
    void anExceptionThatGeneratedCodeCannotSeeIsReported() {
        assertThat(Payments.errors("""
                @IdempotentOperation(noEffectFor = Declined.class) void pay(String id) {}
                private static class Declined extends RuntimeException {}
                """))
                .containsExactly(
                        "Payments.java:10:57: Payments.pay: noEffectFor names demo.Payments.Declined, which code"
                                + " in package demo cannot see, and that is where its definition is generated. Make it"
                                + " package-private there or public.");
    }

    @Test
    void anExceptionOfThePackageIsFine() {
        assertThat(Payments.errors("""
                @IdempotentOperation(noEffectFor = Declined.class) void pay(String id) {}
                static class Declined extends RuntimeException {}
                """)).isEmpty();
    }
}
