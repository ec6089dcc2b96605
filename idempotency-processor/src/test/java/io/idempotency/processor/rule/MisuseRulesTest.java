package io.idempotency.processor.rule;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.processor.compile.Compilation;
import io.idempotency.processor.compile.Payments;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Misuses that compile, run, and protect nothing. */
class MisuseRulesTest {

    private static final String RETRYABLE = "package io.micronaut.retry.annotation;\npublic @interface Retryable {}";

    private static Compilation compile(String method) {
        return Compilation.of(Payments.with(method), RETRYABLE);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                " void pay(String id, double a) {} | the key is a binary fraction | floatingKey",
                "(key = \"#{ 'pay' }\") void pay(String a) {} | reads nothing of the call | constantKey",
                "(key = \"pay-#{ a }\") void pay(String a) {} | a null in it becomes the text 'null' | constantKey",
                "(key = \"#{ a }#{ b }\") void pay(String a, String b) {} | mark the parts of an operation's key @IdempotencyKey | constantKey",
                "(key = \"#{ 'pay-' + a }\") void pay(String a) {} | a null in it becomes the text 'null' | constantKey",
                "(key = \"a\") void pay(double a) {} | the key is a binary fraction | floatingKey",
                " void pay(@IdempotencyKey String id, @IdempotencyKey Float a) {} | the key is a binary fraction | floatingKey",
                "(waitTimeout = \"5s\", whenInProgress = WhenInProgress.REJECT) void pay(String a) {} | Write WAIT | nothingReads",
                "(keyRequired = false) void pay(String a) {} | this one's is never absent | nothingReads",
                "(keyRequired = false, key = \"a\") void pay(int a) {} | this one's is never absent | nothingReads",
                "(lease = \"100ms\") void pay(String a) {} | Write at least 1s | shortLease",
                " @io.micronaut.retry.annotation.Retryable void pay(String a) {} | remembers its first one | retriedFailure",
            })
    void isAWarningWithWhatToDo(String method, String message, String id) {
        Compilation compilation = compile("@IdempotentOperation " + method);
        assertThat(compilation.errors()).isEmpty();
        assertThat(compilation.reportedWarnings())
                .singleElement()
                .asString()
                .startsWith("Payments.java:10:")
                .contains(message, "[idempotency:" + id + "]");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                " void pay(@IdempotencyKey String id, @IdempotencyKey boolean a) {}",
                "(waitTimeout = \"5s\") void pay(String a) {}",
                "(waitTimeout = \"5s\", whenInProgress = WhenInProgress.WAIT) void pay(String a) {}",
                "(keyRequired = false, key = \"a\") void pay(String a) {}",
                "(key = \"#{ a }\") void pay(String a) {}",
                "(key = \"#{ a.concat('+b') }\") void pay(String a) {}",
                "(lease = \"1s\") void pay(String a) {}",
                "(onFailure = OnFailure.RELEASE) @io.micronaut.retry.annotation.Retryable void pay(String a) {}",
                "(noEffectFor = IllegalStateException.class) @io.micronaut.retry.annotation.Retryable void pay(String a) {}",
            })
    void whatHasAMeaningIsFine(String method) {
        Compilation compilation = compile("@IdempotentOperation " + method);
        assertThat(compilation.errors()).isEmpty();
        assertThat(compilation.warnings()).isEmpty();
    }

    @Test
    void aRetryOfTheWholeClassIsNoticedToo() {
        assertThat(Compilation.of(
                                Payments.with("@IdempotentOperation void pay(String a) {}")
                                        .replace(
                                                "@Singleton class",
                                                "@Singleton @io.micronaut.retry.annotation.Retryable class"),
                                RETRYABLE)
                        .warnings())
                .singleElement()
                .asString()
                .contains("remembers its first one");
    }

    @Test
    void whatDoesNotCompileAnywayIsNotReportedOnTopOfIt() {
        Compilation compilation =
                Payments.compile("@IdempotentOperation(key = \"order.id\") Receipt pay(Ordr order) { return null; }\n"
                        + "record Order(String id) {}");
        assertThat(compilation.reportedErrors()).hasSize(2).noneMatch(error -> error.contains("[idempotency:"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "static class Finder { %s }",
                "static class Finder { %s }\n@io.micronaut.context.annotation.Factory static class Beans {"
                        + " @Singleton Finder finder() { return new Finder(); } }",
            })
    void aReconcilerInWhatIsNoBeanIsNeverAsked(String finder) {
        String methods = "@Reconciles(\"pay\") Reconciliation<Void> find(String id) { return null; }"
                + " @Reloads(\"charge\") String load(String id) { return null; }";
        String operations = "@IdempotentOperation(\"pay\") void pay(String id) {}\n"
                + "@IdempotentOperation(\"charge\") String charge(String id) { return id; }\n";
        assertThat(Payments.compile(operations + finder.formatted(methods)).reportedWarnings())
                .hasSize(2)
                .allMatch(warning -> warning.startsWith("Payments.java:12:")
                        && warning.contains("Finder is no bean")
                        && warning.contains("[idempotency:neverAsked]"));
        assertThat(Payments.compile(operations + "@Singleton static class Bean extends Finder {}\n"
                                + finder.formatted(methods))
                        .warnings())
                .isEmpty();
    }

    @Test
    void whatWasProbablyMeantIsNamed() {
        assertThat(Payments.errors(
                        "@IdempotentOperation(key = \"ordr.id\") void pay(Order order) {} record Order(String id) {}"))
                .singleElement()
                .asString()
                .contains("Did you mean 'order'?");
        assertThat(
                        Payments.errors(
                                "@IdempotentOperation(key = \"order.orderID\") void pay(Order order) {} record Order(String orderId) {}"))
                .singleElement()
                .asString()
                .contains("Did you mean 'orderId'?");
        assertThat(Payments.compile("@IdempotentOperation(\"charge-card\") void pay(String id) {}\n"
                                + "@Reconciles(\"charge-cart\") Reconciliation<Void> find(String id) { return null; }\n"
                                + "@Reloads(\"charge-crd\") String load(String id) { return null; }")
                        .warnings())
                .hasSize(2)
                .allMatch(warning -> warning.contains("Did you mean 'charge-card'?"));
    }

    @Test
    void noRemedyIsNonsense() {
        assertThat(Payments.errors("@IdempotentOperation(key = \"empty\") void pay(List<String> lines) {}"))
                .singleElement()
                .asString()
                .doesNotContain("lines.empty");
        assertThat(Payments.errors("@IdempotentOperation(key = \"lines\") void pay(List<String> lines) {}"))
                .singleElement()
                .asString()
                .contains("Name a text, number")
                .doesNotContain("empty");
    }

    @Test
    void aTypeWithoutEndIsReportedOnce() {
        assertThat(Payments.errors("@IdempotentOperation void pay(Grow<String> grow) {}\n"
                        + "record Grow<T>(Grow<List<T>> one, Grow<Set<T>> other, Thread thread) {}"))
                .singleElement()
                .asString()
                .contains("'grow' of type", "its type arguments grow without end")
                .hasSizeLessThan(400);
    }
}
