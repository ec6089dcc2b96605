package io.idempotency.processor.rule;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.processor.compile.Compilation;
import io.idempotency.processor.compile.Payments;
import org.junit.jupiter.api.Test;

/** Several mistakes in several classes are one compilation to mend, not several. */
class AllProblemsTest {

    @Test
    void errorsAndWarningsOfAllRulesAppearTogether() {
        Compilation compilation = Compilation.of(Payments.with("""
                @IdempotentOperation private void hidden(String id) {}
                @IdempotentOperation("Pay Now") void misnamed(String id) {}
                @IdempotentOperation(value = "pay", key = "order") void unkeyed(String id) {}
                @IdempotentOperation(value = "pay", key = "id") void twice(@IdempotencyKey String id) {}
                @IdempotentOperation(lease = "soon") void late(String id, Runnable after) {}
                @IdempotentOperation(key = "id", retention = "1s", lease = "1m") Iterator<String> consumed(String id) { return null; }
                @IdempotentOperation(transactional = true, store = "redis") void apart(String id) {}
                @IdempotentOperation(key = "id") void open(String id, Object anything) {}
                @IdempotentOperation void always() {}
                """), """
                package demo;
                public class Homeless {
                    @io.idempotency.IdempotentOperation public void pay(String id) {}
                }
                """);

        assertThat(compilation.errors())
                .anyMatch(error -> error.startsWith("Payments.java:10:") && error.contains("must not be private"))
                .anyMatch(error -> error.startsWith("Payments.java:11:") && error.contains("kebab-case"))
                .anyMatch(error -> error.startsWith("Payments.java:12:") && error.contains("is not a parameter"))
                .anyMatch(error -> error.startsWith("Payments.java:13:") && error.contains("is given twice"))
                .anyMatch(error -> error.startsWith("Payments.java:13:") && error.contains("is taken by"))
                .anyMatch(error -> error.startsWith("Payments.java:14:") && error.contains("is not a duration"))
                .anyMatch(error -> error.startsWith("Payments.java:14:") && error.contains("cannot be fingerprinted"))
                .anyMatch(error -> error.startsWith("Payments.java:15:") && error.contains("is shorter than lease"))
                .anyMatch(error -> error.startsWith("Payments.java:15:") && error.contains("cannot be recorded"))
                .anyMatch(error -> error.startsWith("Payments.java:16:") && error.contains("store = \"redis\""))
                .anyMatch(error -> error.startsWith("Homeless.java:3:") && error.contains("has no scope"))
                .anyMatch(error ->
                        error.startsWith("Payments.java:10:") && error.contains("AOP advice")) // Micronaut's own
                .hasSize(12);
        assertThat(compilation.warnings())
                .anyMatch(warning -> warning.startsWith("Payments.java:17:") && warning.contains("written as JSON"))
                .anyMatch(warning -> warning.startsWith("Payments.java:18:") && warning.contains("the same key"));
    }
}
