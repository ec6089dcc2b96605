package io.idempotency.processor.rule;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.processor.compile.Compilation;
import io.idempotency.processor.compile.Payments;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReloaderRuleTest {

    private static final String PAY =
            "@IdempotentOperation(\"pay\") public int pay(String id, List<Integer> parts) { return 1; }\n";

    private static String reloader(String signature) {
        return "@Reloads(\"pay\") " + signature + " { return null; }";
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Integer find(String id, List<Integer> parts)",
                "CompletionStage<Integer> find(String number, List<Integer> parts)",
                "reactor.core.publisher.Mono<Integer> find(String id, List<Integer> parts)"
            })
    void aReloaderWithTheOperationsParametersAndResultIsFine(String signature) {
        Compilation compilation = Payments.compile(PAY + reloader(signature));

        assertThat(compilation.errors()).isEmpty();
        assertThat(compilation.warnings()).isEmpty();
    }

    @Test
    void aReloaderOfAnAsynchronousOperationMayAnswerAtOnce() {
        assertThat(Payments.errors("""
                @IdempotentOperation("pay") public CompletionStage<Optional<String>> pay(String id) { return null; }
                @Reloads("pay") Optional<String> find(String id) { return null; }
                """)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Integer find(String id)",
                "Integer find(List<Integer> parts, String id)",
                "Integer find(String id, List<Long> parts)",
                "Long find(String id, List<Integer> parts)",
                "Optional<Integer> find(String id, List<Integer> parts)",
                "Reconciliation<Integer> find(String id, List<Integer> parts)"
            })
    void aReloaderThatDoesNotMatchIsReportedWhereItStands(String signature) {
        assertThat(Payments.errors(PAY + reloader(signature)))
                .singleElement()
                .asString()
                .startsWith("Payments.java:11:")
                .contains(
                        "its @Reloads method does not match. Declare it as int name(java.lang.String, java.util.List<");
    }

    @Test
    void anOperationWithoutAResultHasNothingToReload() {
        assertThat(Payments.errors("""
                @IdempotentOperation("pay") public void pay(String id) {}
                @Reloads("pay") Void find(String id) { return null; }
                """))
                .singleElement()
                .asString()
                .startsWith("Payments.java:11:")
                .contains("it has no result, so there is nothing to reload");
    }

    @Test
    void aReloaderThatCannotBeCalledIsReported() {
        assertThat(Payments.errors(PAY + reloader("private Integer find(String id, List<Integer> parts)")))
                .anyMatch(error -> error.contains("its @Reloads method cannot be called"));
    }

    @Test
    void aSecondReloaderIsReported() {
        assertThat(Payments.errors(PAY + reloader("Integer find(String id, List<Integer> parts)") + "\n"
                        + reloader("Integer look(String id, List<Integer> parts)")))
                .singleElement()
                .asString()
                .startsWith("Payments.java:12:")
                .contains("a second @Reloads(\"pay\") method", "the first is demo.Payments.find");
    }

    @Test
    void aReloaderOfNoOperationIsAWarning() {
        assertThat(Payments.compile(reloader("Integer find(String id)")).warnings())
                .singleElement()
                .asString()
                .contains("@Reloads(\"pay\"): no operation of this module has that name");
    }
}
