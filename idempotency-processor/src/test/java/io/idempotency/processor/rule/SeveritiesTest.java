package io.idempotency.processor.rule;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.processor.compile.Compilation;
import io.idempotency.processor.compile.Payments;
import io.idempotency.processor.model.RuleId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class SeveritiesTest {

    private static final String OPEN = "@IdempotentOperation(key = \"id\") void pay(String id, Object anything) {}";

    private static Compilation compile(String id, String severity, String members) {
        return Compilation.with(
                List.of("-Amicronaut.idempotency.severity." + id + "=" + severity), Payments.with(members));
    }

    @Test
    void everyReportEndsWithItsIdAndWhereItIsExplained() {
        assertThat(Payments.compile(OPEN).reportedWarnings())
                .singleElement()
                .asString()
                .matches("(?s).*\n +\\[idempotency:openArgument\\] docs/compile-time.md#openArgument");
        assertThat(Payments.compile("@IdempotentOperation(key = \"x\") void pay(String id) {}")
                        .reportedErrors())
                .singleElement()
                .asString()
                .matches("(?s).*\n +\\[idempotency:keyPath\\] docs/compile-time.md#keyPath");
    }

    @ParameterizedTest
    @EnumSource(RuleId.class)
    void everyIdIsExplained(RuleId id) throws IOException {
        assertThat(Files.readString(Path.of("../docs/compile-time.md"))).contains("<a id=\"" + id.id() + "\"></a>");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "@SuppressWarnings(\"idempotency:openArgument\") @IdempotentOperation(key = \"id\") void pay(String id, Object x) {}",
                "@IdempotentOperation(key = \"id\") void pay(String id, @SuppressWarnings(\"idempotency:openArgument\") Object x) {}",
                "@SuppressWarnings({\"idempotency:openArgument\", \"unused\"}) @jakarta.inject.Singleton static class Inner {"
                        + "@IdempotentOperation(key = \"id\") void pay(String id, Object x) {} }",
            })
    void aWarningIsSuppressedWhereItStandsOrAround(String members) {
        Compilation compilation = Payments.compile(members);
        assertThat(compilation.errors()).isEmpty();
        assertThat(compilation.warnings()).isEmpty();
    }

    @Test
    void anotherWarningIsNotSuppressed() {
        assertThat(Payments.compile("@SuppressWarnings(\"idempotency:noReconciler\") " + OPEN)
                        .warnings())
                .hasSize(1);
    }

    @Test
    void anOptionMakesAWarningAnErrorOrNothing() {
        assertThat(compile("openArgument", "error", OPEN).errors()).hasSize(1);
        assertThat(compile("openArgument", "warning", OPEN).warnings()).hasSize(1);
        assertThat(compile("openArgument", "off", OPEN).warnings()).isEmpty();
    }

    @Test
    void whoeverFailsOnWarningsCanSwitchThemOff() {
        List<String> options = List.of("-Werror", "-Amicronaut.idempotency.severity.openArgument=off");
        assertThat(Compilation.with(options, Payments.with(OPEN)).errors()).isEmpty();
    }

    @Test
    void whatProtectsFromDoubleRunsStays() {
        String wrong =
                "@SuppressWarnings(\"idempotency:keyPath\") @IdempotentOperation(key = \"x\") void pay(String id) {}";
        assertThat(Payments.errors(wrong)).hasSize(1);
        assertThat(compile("keyPath", "off", wrong).errors())
                .hasSize(2)
                .anyMatch(error -> error.contains("severity.keyPath=off: this error keeps calls from running twice"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "openArgumnet | off | Did you mean 'openArgument'?",
                "openArgument | silent | Write error, warning or off.",
            })
    void anOptionThatIsNoneIsAnError(String id, String severity, String message) {
        assertThat(compile(id, severity, OPEN).errors())
                .singleElement()
                .asString()
                .contains(message);
    }
}
