package io.idempotency.processor.rule;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.processor.compile.Compilation;
import io.idempotency.processor.compile.Payments;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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
                                "@IdempotentOperation void pay(@NotFingerprinted String trace, io.idempotency.IdempotencyContext call) {}")
                        .warnings())
                .hasSize(1);
    }

    @Test
    void anArgumentThatCountsIsFine() {
        assertThat(Payments.compile("@IdempotentOperation void pay(String id) {}")
                        .warnings())
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "(otherCallers = OtherCallers.SHARE)"})
    void aCallerIsNoPartOfAKeyMadeOfTheArguments(String attributes) {
        assertThat(Payments.compile("@IdempotentOperation%s void pay(java.security.Principal user, long amount) {}"
                                .formatted(attributes))
                        .warnings())
                .singleElement()
                .asString()
                .contains("'user' is left out of the key", "otherCallers = ISOLATE", "@NotFingerprinted");
    }

    @ParameterizedTest
    @ValueSource(strings = {"HttpRequest<String>", "HttpHeaders", "HttpParameters", "cookie.Cookies"})
    void norIsWhatElseOfARequestTellsItsCallersApart(String type) {
        assertThat(Payments.compile(
                                "@IdempotentOperation void pay(io.micronaut.http." + type + " request, long amount) {}")
                        .warnings())
                .singleElement()
                .asString()
                .contains("'request' is left out of the key", "otherCallers = ISOLATE", "@NotFingerprinted");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "@IdempotentOperation(otherCallers = OtherCallers.ISOLATE) void pay(java.security.Principal user, long amount) {}",
                "@IdempotentOperation(otherCallers = OtherCallers.FORBID) void pay(java.security.Principal user, long amount) {}",
                "@IdempotentOperation void pay(@NotFingerprinted java.security.Principal user, long amount) {}",
                "@IdempotentOperation(key = \"id\") void pay(java.security.Principal user, String id) {}"
            })
    void aCallerThatIsToldApartOrLeftOutOnPurposeIsFine(String method) {
        assertThat(Payments.compile(method).warnings()).isEmpty();
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
