package io.idempotency.processor.rule;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.processor.compile.Compilation;
import java.util.List;
import org.junit.jupiter.api.Test;

class SelfInvocationRuleTest {

    private static final String FACTORY = """
            package demo;
            @io.micronaut.context.annotation.Factory
            class Beans {
                @jakarta.inject.Singleton Payments payments() { return new Payments(); }
            }
            """;
    private static final String PROXIED = """
            package demo;
            @io.micronaut.aop.Around(proxyTarget = true)
            @jakarta.inject.Scope
            @java.lang.annotation.Retention(java.lang.annotation.RetentionPolicy.RUNTIME)
            public @interface Proxied {}
            """;

    @Test
    void aBeanOfAFactoryThatCallsItselfIsAWarning() {
        assertThat(Compilation.of(FACTORY, bean("", "payAll", "this.pay(id)")).warnings())
                .singleElement()
                .asString()
                .startsWith("Payments.java:3:")
                .contains("Payments.pay: called by payAll of the same class", "run unprotected");
    }

    @Test
    void soIsABeanBehindAScopedProxy() {
        assertThat(Compilation.of(
                                PROXIED,
                                bean("@Proxied ", "payAll", "java.util.Optional.of(id).map(it -> pay(it)).get()"))
                        .warnings())
                .anyMatch(warning -> warning.contains("called by payAll of the same class"));
    }

    @Test
    void soIsAReferenceToItsOwnMethod() {
        assertThat(Compilation.of(
                                FACTORY,
                                bean("", "payAll", "java.util.Optional.of(id).map(this::pay).get()")
                                        .replace("public String pay(String id, int n) { return id; }\n", ""))
                        .warnings())
                .singleElement()
                .asString()
                .contains("called by payAll of the same class");
    }

    @Test
    void soIsADefaultMethodOfAnInterfaceAboveIt() {
        String all = "package demo;\ninterface All extends Each { }\n"
                + "interface Each { String pay(String id); default String payAll(String id) { return pay(id); } }";
        assertThat(Compilation.of(
                                FACTORY,
                                all,
                                bean("", "toString", "id")
                                        .replace("class Payments {", "class Payments implements All {"))
                        .warnings())
                .singleElement()
                .asString()
                .startsWith("Payments.java:3:")
                .contains("called by payAll of the same class");
    }

    @Test
    void aBeanThatIsItsOwnProxyMayCallItself() {
        assertThat(Compilation.of(bean("@jakarta.inject.Singleton ", "payAll", "this.pay(id)"))
                        .warnings())
                .isEmpty();
    }

    @Test
    void aCallOfAnotherObjectOrAnotherOverloadIsNotMeant() {
        for (String call : List.of(
                "new Payments().pay(id)",
                "pay(id, 1)",
                "new Object() { String pay(String x) { return pay(id); } }.toString()")) {
            assertThat(Compilation.of(FACTORY, bean("", "payAll", call)).warnings())
                    .as(call)
                    .isEmpty();
        }
    }

    @Test
    void aCallWithSuperPassesEveryProxyExceptInTheOperationItself() {
        String base = """
                package demo;
                interface Api { @io.idempotency.IdempotentOperation default String refund(String id) { return id; } }
                abstract class Base implements Api {
                    @io.idempotency.IdempotentOperation public String pay(String id) { return id; }
                }
                abstract class Middle extends Base { %s }
                """;
        String child = "package demo;\n@jakarta.inject.Singleton class Child extends Middle implements Api { %s }";
        for (String call : List.of(
                "String retry(String id) { return super.pay(id); }",
                "String retry(String id) { return java.util.Optional.of(id).map(super::pay).get(); }",
                "String retry(String id) { return Child.super.pay(id); }",
                "String retry(String id) { return Api.super.refund(id); }")) {
            assertThat(Compilation.of(base.formatted(""), child.formatted(call)).warnings())
                    .as(call)
                    .singleElement()
                    .asString()
                    .startsWith("Child.java:2:")
                    .contains("called by retry of the same class", "run unprotected. Call the method without super.");
        }
        assertThat(Compilation.of(
                                base.formatted("String retry(String id) { return super.pay(id); }"),
                                child.formatted("public String pay(String id) { return id; }"
                                        + " public String pay(String id, int n) { return super.pay(id); }"))
                        .warnings())
                .singleElement()
                .asString()
                .contains("Child.pay: called by pay, retry of the same class");
        for (String call : List.of(
                "public String pay(String id) { return super.pay(id); }",
                "@io.idempotency.IdempotentOperation public String refund(String id) { return Api.super.refund(id); }",
                "String retry(String id) { return pay(id) + this.pay(id); }",
                "public String toString() { return super.toString(); }")) {
            assertThat(Compilation.of(
                                    base.formatted(call.replace("refund", "pay").replace("Api.", "")),
                                    child.formatted(call))
                            .warnings())
                    .as(call)
                    .isEmpty();
        }
    }

    private static String bean(String scope, String caller, String call) {
        return "package demo;\n" + scope + "public class Payments {\n"
                + "@io.idempotency.IdempotentOperation public String pay(String id) { return id; }\n"
                + "public String pay(String id, int n) { return id; }\n"
                + "public String " + caller + "(String id) { return " + call + "; }\n}";
    }
}
