package io.idempotency.processor;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.processor.compile.Compilation;
import io.idempotency.processor.compile.Compiled;
import io.idempotency.processor.compile.Payments;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

    @ParameterizedTest
    @ValueSource(
            strings = {
                "interface Page extends List<String> { String cursor(); }",
                "interface Page extends Collection<String> { String getCursor(); }",
                "interface Paged { String cursor(); } interface Page extends Map<String, String>, Paged {}",
                "static abstract class Page extends AbstractList<String> { abstract String cursor(); }",
            })
    void soIsWhatAnAbstractOneShows(String page) {
        assertThat(Payments.errors("@IdempotentOperation void pay(List<Page> pages) {} " + page))
                .singleElement()
                .asString()
                .contains("'pages[]' of type demo.Payments.Page cannot be fingerprinted")
                .contains("holds cursor besides its elements");
    }

    @Test
    void aFieldNamedLikeWhatAnyContainerHasIsItsOwn() {
        assertThat(Payments.errors("@IdempotentOperation void pay(Page page) {}"
                        + "static class Page extends ArrayList<String> { "
                        + serial("private boolean last; public boolean isLast() { return last; } }")))
                .singleElement()
                .asString()
                .contains("holds last besides its elements");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "interface Tags extends List<String> {}",
                "interface Tags extends List<String> { @Override int size(); @Override Iterator<String> iterator(); }",
                "interface Tags extends Set<String> { void audit(); String at(int index); default String all() { return"
                        + " toString(); } }",
                "interface Tags extends List<String> { @NotFingerprinted String cached(); }",
            })
    void anAbstractContainerThatShowsNothingElseIsOne(String tags) {
        assertThat(Payments.errors("@IdempotentOperation void pay(Tags tags) {} " + tags))
                .isEmpty();
    }

    @Test
    void anImmutableListOfGuavaIsItsElements() {
        assertThat(Compilation.of(
                                Payments.with("@IdempotentOperation void pay("
                                        + "com.google.common.collect.ImmutableList<String> lines) {}"),
                                "package com.google.common.collect;\n"
                                        + "public abstract class ImmutableList<E> extends java.util.AbstractList<E>"
                                        + " { private final transient int offset = 0; abstract boolean isPartialView(); }")
                        .errors())
                .isEmpty();
    }

    @Test
    void aContainerThatHoldsNothingElseOrNothingThatMattersIsOne() {
        Compiled payments = Payments.load("@IdempotentOperation void pay(Tags tags) {}"
                + "static class Tags extends ArrayList<String> { "
                + serial("@NotFingerprinted private String cached = \"c\"; @NotFingerprinted private boolean isOld; "
                        + "public boolean isOld() { return isOld; } @NotFingerprinted boolean last; @Override public boolean isEmpty() { return"
                        + " super.isEmpty(); } }"));

        assertThat(payments.fingerprint(payments.create("demo.Payments$Tags"))).isNotEmpty();
    }

    @Test
    void itIsNotLeftOutWhereItsElementsAre() {
        String trace = "@NotFingerprinted record Trace(String id) {} ";
        assertThat(Payments.errors("@IdempotentOperation void pay(String id, Traces[] traces) {} " + trace
                        + "static class Traces extends ArrayList<Trace> { "
                        + serial("private String cursor; public String getCursor() { return cursor; } }")))
                .singleElement()
                .asString()
                .contains("holds cursor besides its elements");

        Compiled payments = Payments.load("@IdempotentOperation void pay(Page page) {} " + trace
                + "record Page(String cursor, List<Trace> traces) implements Iterable<Trace> {"
                + " @Override public Iterator<Trace> iterator() { return traces.iterator(); } }");
        Object one = payments.create("demo.Payments$Trace", "t");
        assertThat(payments.fingerprint(payments.create("demo.Payments$Page", "c", List.of(one))))
                .isEqualTo(payments.fingerprint(payments.create("demo.Payments$Page", "c", List.of())))
                .isNotEqualTo(payments.fingerprint(payments.create("demo.Payments$Page", "d", List.of(one))));
    }

    @Test
    void oneThatHoldsItselfHasNoEnd() {
        assertThat(Payments.errors(
                        "@IdempotentOperation void pay(Tree tree) {} static class Tree extends ArrayList<Tree> {"
                                + serial("}")))
                .singleElement()
                .asString()
                .contains("its type arguments grow without end");
    }
}
