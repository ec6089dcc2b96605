package io.idempotency.processor.rule;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.processor.compile.Compilation;
import org.junit.jupiter.api.Test;

class BeanRuleTest {

    private static final String METHOD =
            "@io.idempotency.IdempotentOperation public String pay(String id) { return id; }";

    @Test
    void aClassWithoutAScopeIsReportedBecauseItsMethodWouldRunUnprotected() {
        assertThat(Compilation.of("package demo;\npublic class Payments {\n" + METHOD + "\n}")
                        .errors())
                .singleElement()
                .asString()
                .startsWith("Payments.java:3:")
                .contains(
                        "Payments has no scope",
                        "Add one to the class, for instance @Singleton, make it by a @Factory of the same module, or declare"
                                + " it abstract if only its subclasses are beans.");
    }

    @Test
    void aClassWithAnInjectedConstructorIsABean() {
        assertThat(Compilation.of("package demo;\npublic class Payments {\n@jakarta.inject.Inject Payments() {}\n"
                                + METHOD + "\n}")
                        .errors())
                .isEmpty();
    }

    @Test
    void anAbstractClassIsLeftToItsSubclasses() {
        assertThat(Compilation.of("package demo;\npublic abstract class Payments {\n" + METHOD + "\n}")
                        .errors())
                .isEmpty();
    }

    @Test
    void aControllerIsABean() {
        assertThat(Compilation.of("package demo;\n@io.micronaut.http.annotation.Controller\npublic class Payments {\n"
                                + METHOD + "\n}")
                        .errors())
                .isEmpty();
    }
}
