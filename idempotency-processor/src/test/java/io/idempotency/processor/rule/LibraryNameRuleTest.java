package io.idempotency.processor.rule;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.processor.compile.Compilation;
import io.idempotency.processor.compile.Payments;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LibraryNameRuleTest {

    private static final String OPTION = "micronaut.idempotency.library";
    private static final String UNNAMED = Payments.with("@IdempotentOperation void pay(String id) {}");

    /** Micronaut's processor turns its options into system properties. */
    @AfterEach
    void forgetTheOption() {
        System.clearProperty(OPTION);
    }

    @Test
    void anUnnamedOperationOfALibraryIsAWarning() {
        Compilation library = Compilation.with(List.of("-A" + OPTION + "=true"), UNNAMED);

        assertThat(library.errors()).isEmpty();
        assertThat(library.warnings())
                .singleElement()
                .asString()
                .startsWith("Payments.java:10:27: Payments.pay: an operation of a library needs a name of its own")
                .contains("'demo.Payments#pay(java.lang.String)'");
    }

    @Test
    void aNamedOneIsFine() {
        String named = Payments.with("@IdempotentOperation(\"pay\") void pay(String id) {}");

        assertThat(Compilation.with(List.of("-A" + OPTION + "=true"), named).warnings())
                .isEmpty();
    }

    @Test
    void anApplicationMayLeaveTheNameOut() {
        assertThat(Compilation.of(UNNAMED).warnings()).isEmpty();
    }
}
