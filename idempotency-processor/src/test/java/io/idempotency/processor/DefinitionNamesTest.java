package io.idempotency.processor;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.definition.OperationDefinition;
import io.idempotency.processor.compile.Compilation;
import io.idempotency.processor.compile.Compiled;
import io.idempotency.processor.compile.Payments;
import io.idempotency.processor.compile.Recorder;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whatever classes and methods are called, no call meets another one's definition. */
class DefinitionNamesTest {

    private static String bean(String type, String method) {
        return "@jakarta.inject.Singleton public static class " + type + " {"
                + " @io.idempotency.IdempotentOperation(key = \"id\") public String " + method
                + "(String id) { return id; } }";
    }

    @ParameterizedTest
    @CsvSource({
        "Pay,charge_card,Pay_charge,card",
        "Pay,charge$card,Pay$charge,card",
        "Pay,_card,Pay_,card",
        "Pay,card,Pay_,card",
        "Pay,card,Pay,Card",
        "Pay$1b,c,Pay_1b,c"
    })
    void eachBeanIsBoundToItsOwnDefinition(String oneType, String oneMethod, String otherType, String otherMethod) {
        String source = "package demo;\npublic class Names {\n" + bean(oneType, oneMethod) + "\n"
                + (oneType.equals(otherType)
                        ? "@jakarta.inject.Singleton public static class Unused {}"
                        : bean(otherType, otherMethod))
                + "\n}";
        if (oneType.equals(otherType)) {
            source = source.replace(
                    "return id; } }",
                    "return id; } @io.idempotency.IdempotentOperation(key = \"id\") public String " + otherMethod
                            + "(String id) { return id; } }");
        }
        Compiled compiled = Compilation.of(source, Recorder.SOURCE).load();
        for (String[] bean : List.of(new String[] {oneType, oneMethod}, new String[] {otherType, otherMethod})) {
            String name = "demo.Names$" + bean[0] + "#" + bean[1] + "(java.lang.String)";
            assertThat(Recorder.call(compiled, "Names$" + bean[0], bean[1], "o-1"))
                    .isEqualTo(name + " o-1");
            assertThat(compiled.definition(name).method()).isEqualTo(name);
        }
        assertThat(compiled.definitions())
                .extracting(definition -> definition.getClass().getName().toLowerCase(Locale.ROOT))
                .as("files that differ in more than case")
                .doesNotHaveDuplicates();
    }

    @Test
    void aClassAndANestedOneOfASimilarNameAreTwo() {
        String nested = "package demo;\npublic class A {\n" + bean("B", "c") + "\n}";
        String flat = "package demo;\n" + bean("A_B", "c").replace("static ", "");
        Compiled compiled = Compilation.of(nested, flat, Recorder.SOURCE).load();
        assertThat(Recorder.call(compiled, "A$B", "c", "1")).isEqualTo("demo.A$B#c(java.lang.String) 1");
        assertThat(Recorder.call(compiled, "A_B", "c", "1")).isEqualTo("demo.A_B#c(java.lang.String) 1");
    }

    @Test
    void overloadsWhoseSignaturesHaveOneHashCodeAreTwo() {
        assertThat("Aa".hashCode()).isEqualTo("BB".hashCode());
        assertThat(Payments.load("""
                record Aa(String id) {}
                record BB(String id) {}
                @IdempotentOperation String pay(Aa a) { return ""; }
                @IdempotentOperation String pay(BB b) { return ""; }
                """).definitions())
                .extracting(OperationDefinition::method)
                .containsExactlyInAnyOrder(
                        "demo.Payments#pay(demo.Payments.Aa)", "demo.Payments#pay(demo.Payments.BB)");
    }

    @Test
    void twoBeansOfOneGenericClassAreRefusedForTheirDefinitionsWouldBeOne() {
        String box = """
                package demo;
                public class Box<T> {
                    @io.idempotency.IdempotentOperation public String put(java.util.List<T> all) { return ""; }
                }
                """;
        String beans = """
                package demo;
                @io.micronaut.context.annotation.Factory
                class Beans {
                    @jakarta.inject.Singleton Box<String> texts() { return new Box<>(); }
                    @jakarta.inject.Singleton Box<Integer> numbers() { return new Box<>(); }
                }
                """;
        assertThat(Compilation.of(box, beans).errors())
                .singleElement()
                .asString()
                .contains("Box.put: another bean");
        assertThat(Compilation.of(box, beans.replace("Integer", "String")).errors())
                .isEmpty();
    }
}
