package io.idempotency.processor.rule;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.processor.compile.Compilation;
import io.idempotency.processor.compile.Payments;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ReconcilerRuleTest {

    private static final String PAY = "@IdempotentOperation(value = \"pay\", onAbandoned = OnAbandoned.RECONCILE)"
            + " public int pay(String id, List<Integer> parts) { return 1; }\n";

    @Test
    void aReconcilerThatIsNotInThisModuleIsAWarningWithItsSignature() {
        Compilation compilation = Payments.compile(PAY);

        assertThat(compilation.errors()).isEmpty();
        assertThat(compilation.warnings())
                .singleElement()
                .asString()
                .startsWith("Payments.java:10:")
                .contains(
                        "no @Reconciles(\"pay\") method",
                        "Add a bean method Reconciliation<java.lang.Integer> name(java.lang.String, java.util.List<?"
                                + " extends java.lang.Integer>).");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Reconciliation<Integer> find(String id, List<Integer> parts)",
                "CompletionStage<Reconciliation<Integer>> find(String number, List<Integer> parts)",
                "reactor.core.publisher.Mono<Reconciliation<Integer>> find(String id, List<Integer> parts)"
            })
    void aReconcilerWithTheOperationsParametersAndResultIsFine(String signature) {
        Compilation compilation = Payments.compile(PAY + reconciler(signature));

        assertThat(compilation.errors()).isEmpty();
        assertThat(compilation.warnings()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Reconciliation<Integer> find(String id)",
                "Reconciliation<Integer> find(List<Integer> parts, String id)",
                "Reconciliation<Integer> find(String id, List<Long> parts)",
                "Reconciliation<String> find(String id, List<Integer> parts)",
                "Integer find(String id, List<Integer> parts)",
                "Optional<Reconciliation<Integer>> find(String id, List<Integer> parts)"
            })
    void aReconcilerThatDoesNotMatchIsReportedWhereItStands(String signature) {
        assertThat(Payments.errors(PAY + reconciler(signature)))
                .singleElement()
                .asString()
                .startsWith("Payments.java:11:")
                .contains("does not match. Declare it as Reconciliation<java.lang.Integer> name(java.lang.String");
    }

    @Test
    void anOperationWithoutAResultIsReconciledToVoid() {
        String operation =
                "@IdempotentOperation(value = \"pay\", onAbandoned = OnAbandoned.RECONCILE) public void pay(String id) {}\n";

        assertThat(Payments.errors(operation + reconciler("Reconciliation<Void> find(String id)")))
                .isEmpty();
        assertThat(Payments.errors(operation + reconciler("Reconciliation<String> find(String id)")))
                .hasSize(1);
    }

    @ParameterizedTest
    @CsvSource({"private", "static"})
    void aReconcilerThatCannotBeCalledIsReported(String modifier) {
        assertThat(Payments.errors(
                        PAY + reconciler(modifier + " Reconciliation<Integer> find(String id, List<Integer> parts)")))
                .anyMatch(error -> error.contains("cannot be called because it is private or static"));
    }

    @Test
    void aSecondReconcilerIsReported() {
        assertThat(Payments.errors(PAY + reconciler("Reconciliation<Integer> find(String id, List<Integer> parts)")
                        + "\n" + reconciler("Reconciliation<Integer> look(String id, List<Integer> parts)")))
                .singleElement()
                .asString()
                .startsWith("Payments.java:12:")
                .contains("a second @Reconciles(\"pay\") method", "the first is demo.Payments.find");
    }

    @Test
    void aReconcilerOfAnotherBeanCounts() {
        String other = """
                package demo;
                import io.idempotency.*;
                @jakarta.inject.Singleton
                class Finder {
                    @Reconciles("pay") Reconciliation<Integer> find(String id, java.util.List<Integer> parts) { return null; }
                }
                """;
        assertThat(Compilation.of(Payments.with(PAY), other).warnings()).isEmpty();
    }

    @Test
    void aReconcilerThatIsNeverAskedIsAWarning() {
        String refusing =
                "@IdempotentOperation(value = \"pay\", onAbandoned = OnAbandoned.REFUSE) public void pay(String id) {}\n";
        String reconciler = reconciler("Reconciliation<Void> find(String id)");

        assertThat(Payments.compile(refusing + reconciler).warnings())
                .singleElement()
                .asString()
                .startsWith("Payments.java:11:")
                .contains("says onAbandoned = REFUSE, so this method is never asked");
        assertThat(Payments.compile(reconciler).warnings())
                .singleElement()
                .asString()
                .contains("@Reconciles(\"pay\"): no operation of this module has that name");
    }

    @Test
    void anOperationThatLeavesItToTheConfigurationMayHaveAReconciler() {
        assertThat(Payments.compile("@IdempotentOperation(\"pay\") public void pay(String id) {}\n"
                                + reconciler("Reconciliation<Void> find(String id)"))
                        .warnings())
                .isEmpty();
    }

    private static String reconciler(String signature) {
        return "@Reconciles(\"pay\") " + signature + " { return null; }";
    }
}
