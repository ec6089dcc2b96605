package io.idempotency.processor.rule;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.processor.compile.Compilation;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UnimplementedRuleTest {

    private static final String GATEWAY = """
            package demo;
            interface Gateway {
                @io.idempotency.IdempotentOperation void pay(String id);
            }
            """;

    private static Compilation with(String other) {
        return Compilation.of(GATEWAY, "package demo;\n" + other);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "class Unrelated {}",
                "@jakarta.inject.Singleton class Unrelated { @io.idempotency.IdempotentOperation void pay(String id) {} }",
                "abstract class Half implements Gateway {}",
            })
    void anAnnotatedInterfaceThatNoBeanImplementsIsAWarning(String other) {
        assertThat(with(other).reportedWarnings())
                .singleElement()
                .asString()
                .startsWith("Gateway.java:3:")
                .contains("Gateway.pay: no bean of this module inherits it", "implements Gateway a bean")
                .contains("[idempotency:noImplementation]");
    }

    @Test
    void soIsAnAbstractClass() {
        assertThat(Compilation.of(GATEWAY.replace("interface", "abstract class")
                                .replace("void pay", "public abstract void pay"))
                        .warnings())
                .singleElement()
                .asString()
                .contains("extends Gateway a bean");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "@jakarta.inject.Singleton class Stripe implements Gateway { @Override public void pay(String id) {} }",
                "interface Special extends Gateway {}\n"
                        + "@jakarta.inject.Singleton class Stripe implements Special { @Override public void pay(String id) {} }",
                "@io.micronaut.context.annotation.Factory class Beans {"
                        + " @jakarta.inject.Singleton Gateway gateway() { return id -> {}; } }",
                "class Outer { @jakarta.inject.Singleton static class Stripe implements Gateway { public void pay(String id) {} } }",
                "class Outer { interface Inner { @io.idempotency.IdempotentOperation void pay(String id); }"
                        + " @jakarta.inject.Singleton static class Stripe implements Inner, Gateway { public void pay(String id) {} } }",
                "class Outer { abstract static class Inner implements Gateway {"
                        + " @io.idempotency.IdempotentOperation void more(String id) {} }"
                        + " @jakarta.inject.Singleton static class Stripe extends Inner { public void pay(String id) {} } }",
            })
    void oneThatABeanImplementsIsFine(String bean) {
        assertThat(with(bean).errors()).isEmpty();
        assertThat(with(bean).warnings()).isEmpty();
    }

    @Test
    void aLibraryIsImplementedElsewhere() {
        assertThat(Compilation.with(
                                List.of("-Amicronaut.idempotency.library=true"),
                                GATEWAY.replace("Operation void", "Operation(\"pay\") void"))
                        .warnings())
                .isEmpty();
    }
}
