package io.idempotency.processor;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.definition.OperationDefinition;
import io.idempotency.processor.compile.Compilation;
import io.idempotency.processor.compile.Compiled;
import io.idempotency.processor.compile.Recorder;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Some classes compiled again over the classes of an earlier compilation. */
class IncrementalTest {

    private static final String PAYMENTS = """
            package demo;
            import io.idempotency.*;
            @jakarta.inject.Singleton
            public class Payments {
                @IdempotentOperation(value = "pay", key = "order.id")
                public String pay(Order order) { return "paid"; }
                @IdempotentOperation(value = "refund", key = "id")
                public String refund(String id) { return "ran unprotected"; }
            }
            """;

    private static final String REFUNDS = PAYMENTS.replace("Payments", "Refunds")
            .replace("\"pay\"", "\"other-pay\"")
            .replace("\"refund\"", "\"other-refund\"");

    private static final String ORDER = """
            package demo;
            public record Order(String id, java.util.List<Line> lines) {
                public record Line(String sku, int pieces) {}
            }
            """;

    private static final String ORDER_WITH_NOTE = ORDER.replace("String sku,", "String sku, String note,");

    private static Compilation all() {
        return Compilation.of(PAYMENTS, REFUNDS, ORDER, Recorder.SOURCE);
    }

    private static void compile(Compilation compilation, String... sources) {
        assertThat(compilation.again(sources).errors()).isEmpty();
    }

    @Test
    void aClassCompiledByItselfGivesTheSameBytesAsWithAllOthers() {
        Compilation compilation = all();
        Map<String, String> before = compilation.classes();
        for (Map.Entry<String, String> source : Map.of(
                        "demo.Payments", PAYMENTS, "demo.Refunds", REFUNDS, "demo.Order", ORDER)
                .entrySet()) {
            compilation.forget(source.getKey());
            assertThat(compilation.classes()).hasSizeLessThan(before.size());

            compile(compilation, source.getValue());
            assertThat(compilation.classes()).isEqualTo(before);
        }
    }

    @Test
    void compilingAgainOverTheOldClassesChangesNothing() {
        Compilation compilation = all();
        Map<String, String> before = compilation.classes();

        compile(compilation, PAYMENTS);
        compile(compilation, PAYMENTS, REFUNDS, ORDER, Recorder.SOURCE);
        assertThat(compilation.classes()).isEqualTo(before);
    }

    @Test
    void aChangedTypeReachesTheDefinitionsOfTheClassesThatUseIt() {
        Compilation compilation = all();
        compile(compilation, ORDER_WITH_NOTE);
        compile(compilation, PAYMENTS, REFUNDS);

        assertThat(compilation.classes())
                .isEqualTo(Compilation.of(PAYMENTS, REFUNDS, ORDER_WITH_NOTE, Recorder.SOURCE)
                        .classes());
    }

    @Test
    void aRemovedAnnotationLeavesNothingThatIsUsed() {
        Compilation compilation = all();
        String definition = "demo/$Payments$Operations$_refund.class";
        compile(compilation, PAYMENTS.replace("@IdempotentOperation(value = \"refund\", key = \"id\")", ""));

        assertThat(compilation.classes()).as("left over").containsKey(definition);
        assertThat(Recorder.call(compilation.load(), "Payments", "refund", "r-1"))
                .isEqualTo("ran unprotected");
        assertThat(Recorder.call(compilation.load(), "Refunds", "refund", "r-1"))
                .isEqualTo("other-refund r-1");
    }

    @Test
    void aChangedAnnotationReplacesTheDefinitionThatIsThere() {
        Compilation compilation = all();
        compile(compilation, PAYMENTS.replace("\"refund\"", "\"give-back\""));

        assertThat(Recorder.call(compilation.load(), "Payments", "refund", "r-1"))
                .isEqualTo("give-back r-1");
    }

    @Test
    void generatedClassesAreSoundAndSayWhereTheyAreFrom() throws ClassNotFoundException {
        Compilation compilation = Compilation.of(ORDER, """
                package demo;
                import io.idempotency.*;
                import java.util.*;
                @jakarta.inject.Singleton
                public class Payments<T extends Number> {
                    @Deprecated public record Old(String id) {}
                    public sealed interface Means permits Card, Cash {}
                    public record Card(String number) implements Means {}
                    public enum Cash implements Means { COINS }
                    @IdempotentOperation(value = "pay", key = "order.id", retention = "1d", noEffectFor = IllegalStateException.class)
                    public List<Map<String, Optional<Order>>> pay(Order order, Means means, Old old) { return List.of(); }
                    @IdempotentOperation(value = "pay-open")
                    public void pay(@IdempotencyKey String id, int[] numbers, Object any, List rows, T number,
                            Map<String, ? extends Collection<?>> more) {}
                    @IdempotentOperation(value = "pay-two")
                    public int pay(@IdempotencyKey String a, @IdempotencyKey UUID b, io.micronaut.json.tree.JsonNode json) {
                        return 1;
                    }
                }
                """);
        assertThat(compilation.errors()).isEmpty();

        assertThat(compilation.warnings()).allMatch(warning -> warning.contains("is written as JSON"));
        Compiled compiled = compilation.load();
        // the JVM verifies a class before it initializes it
        Class.forName("demo.$Payments$Operations", true, compiled.loader());
        assertThat(compiled.definitions())
                .hasSize(3)
                .extracting(OperationDefinition::origin)
                .allMatch(origin -> origin.startsWith("demo.Payments.pay("));
    }

    @ParameterizedTest
    @ValueSource(strings = {"Payments", "Finder", "Beans", "Made", "Gateway", "Stripe"})
    void oneFileOfAModuleIsComparedWithThoseThatAreNotCompiledAgain(String changed) {
        Map<String, String> module =
                Map.of("Payments", """
                package demo;
                import io.idempotency.*;
                @jakarta.inject.Singleton
                public class Payments {
                    @IdempotentOperation(value = "pay", key = "id", onAbandoned = OnAbandoned.RECONCILE)
                    public String pay(String id) { return "paid"; }
                }
                """, "Finder", """
                package demo;
                import io.idempotency.*;
                @jakarta.inject.Singleton
                public class Finder {
                    @Reconciles("pay") Reconciliation<String> find(String id) { return null; }
                    @Reloads("pay") String reload(String id) { return null; }
                }
                """, "Beans", """
                package demo;
                @io.micronaut.context.annotation.Factory
                public class Beans {
                    @jakarta.inject.Singleton Made made() { return new Made(); }
                }
                """, "Made", """
                package demo;
                public class Made {
                    @io.idempotency.IdempotentOperation("make") public String make(String id) { return id; }
                }
                """, "Gateway", """
                package demo;
                public interface Gateway {
                    @io.idempotency.IdempotentOperation("send") String send(String id);
                }
                """, "Stripe", """
                package demo;
                @jakarta.inject.Singleton
                public class Stripe implements Gateway {
                    @Override public String send(String id) { return id; }
                }
                """);
        Compilation compilation = Compilation.of(module.values().toArray(String[]::new));
        assertThat(compilation.errors()).isEmpty();
        assertThat(compilation.warnings()).isEmpty();

        Compilation again = compilation.again(
                module.keySet().stream()
                        .filter(name -> !name.equals(changed))
                        .map(name -> "demo." + name)
                        .toList(),
                module.get(changed));
        assertThat(again.errors()).isEmpty();
        assertThat(again.warnings()).isEmpty();
        Compilation alone = compilation.again(module.get(changed));
        assertThat(alone.errors()).isEmpty();
        assertThat(alone.warnings()).isEmpty();
        assertThat(compilation.isolated(module.get(changed)).reportedErrors()).isEmpty();
        assertThat(compilation.isolated(module.get(changed)).reportedWarnings()).isEmpty();
    }
}
