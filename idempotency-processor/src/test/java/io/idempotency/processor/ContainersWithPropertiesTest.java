package io.idempotency.processor;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.processor.compile.Compiled;
import io.idempotency.processor.compile.Payments;
import org.junit.jupiter.api.Test;

/** A container's elements are not all that it may hold. */
class ContainersWithPropertiesTest {

    private static String serial(String members) {
        return "private static final long serialVersionUID = 1L; " + members;
    }

    @Test
    void whatAContainerHoldsBesidesItsElementsIsNotLeftOutSilently() {
        assertThat(Payments.errors("@IdempotentOperation void pay(Page page, Named named) {}"
                        + "static class Page extends ArrayList<String> { "
                        + serial("private String cursor; public String getCursor() { return cursor; } }")
                        + "static class Named extends HashMap<String, String> { " + serial("final int id = 1; }")))
                .hasSize(2)
                .anySatisfy(error -> assertThat(error)
                        .contains("'page' of type demo.Payments.Page cannot be fingerprinted")
                        .contains("holds cursor besides its elements")
                        .contains("Declare a record"))
                .anySatisfy(error -> assertThat(error).contains("'named'").contains("holds id besides its elements"));
    }

    @Test
    void aContainerThatHoldsNothingElseOrNothingThatMattersIsOne() {
        Compiled payments = Payments.load("@IdempotentOperation void pay(Tags tags) {}"
                + "static class Tags extends ArrayList<String> { "
                + serial("@NotFingerprinted private String cached = \"c\"; @Override public boolean isEmpty() { return"
                        + " super.isEmpty(); } }"));

        assertThat(payments.fingerprint(payments.create("demo.Payments$Tags"))).isNotEmpty();
    }
}
