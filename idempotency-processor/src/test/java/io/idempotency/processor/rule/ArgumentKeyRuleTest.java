package io.idempotency.processor.rule;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.processor.compile.Compilation;
import io.idempotency.processor.compile.Payments;
import org.junit.jupiter.api.Test;

class ArgumentKeyRuleTest {

    @Test
    void aMethodWithoutArgumentsKeyedByThemIsAWarning() {
        Compilation compilation = Payments.compile("@IdempotentOperation void closeTheBooks() {}");

        assertThat(compilation.errors()).isEmpty();
        assertThat(compilation.warnings())
                .singleElement()
                .asString()
                .startsWith("Payments.java:10:27: Payments.closeTheBooks: the arguments are the key")
                .contains("every call has the same key", "key = \"…\"");
    }

    @Test
    void argumentsThatAreLeftOutDoNotCount() {
        assertThat(Payments.compile(
                                "@IdempotentOperation void pay(@NotFingerprinted String trace, java.security.Principal user) {}")
                        .warnings())
                .hasSize(1);
    }

    @Test
    void anArgumentThatCountsIsFine() {
        assertThat(Payments.compile("@IdempotentOperation void pay(String id) {}")
                        .warnings())
                .isEmpty();
    }

    @Test
    void aRouteIsKeyedByItsHeader() {
        assertThat(Compilation.of("""
                package demo;
                import io.micronaut.http.annotation.*;
                @Controller
                class Payments {
                    @Post @io.idempotency.IdempotentOperation void closeTheBooks() {}
                }
                """).warnings()).isEmpty();
    }
}
