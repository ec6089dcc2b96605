package io.idempotency.processor.rule;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.processor.compile.Compilation;
import io.idempotency.processor.compile.Payments;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class InterceptableMethodRuleTest {

    @Test
    void aPrivateMethodIsReportedAtItsName() {
        assertThat(Payments.errors("@IdempotentOperation private String pay(String id) { return id; }"))
                .contains( // Micronaut adds its own
                        "Payments.java:10:37: Payments.pay: an @IdempotentOperation method must not be private:"
                                + " calls of it cannot be intercepted and would run unprotected. Make it package-private,"
                                + " protected or public.");
    }

    @Test
    void aFinalMethodIsReported() {
        assertThat(Payments.errors("@IdempotentOperation final String pay(String id) { return id; }"))
                .first()
                .asString()
                .contains(
                        "must not be final", "Remove final", "make class and method open", "all-open compiler plugin");
    }

    @Test
    void aStaticMethodIsReported() {
        assertThat(Payments.errors("@IdempotentOperation static String pay(String id) { return id; }"))
                .singleElement()
                .asString()
                .contains("must not be static");
    }

    /** Micronaut takes such a method for the container's own before it looks for advice. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "@jakarta.annotation.PostConstruct %s void warmUp() {}",
                "@jakarta.annotation.PreDestroy %s void flush() {}",
                "@jakarta.inject.Inject %s void bind(String url) {}",
            })
    void aMethodThatTheContainerCallsIsReported(String method) {
        assertThat(Payments.errors(method.formatted("@IdempotentOperation")))
                .filteredOn(error -> !error.contains("every call has the same key"))
                .singleElement()
                .asString()
                .startsWith("Payments.java:10:")
                .contains(
                        "must not be called by the container (@PostConstruct, @PreDestroy, @Inject)",
                        "would run unprotected. Call it from an event listener, or move the work to another bean's"
                                + " method.");
    }

    @Test
    void severalMethodsAreReportedTogether() {
        assertThat(Payments.errors("""
                @IdempotentOperation final String pay(String id) { return id; }
                @IdempotentOperation static String refund(String id) { return id; }
                """))
                .anyMatch(error -> error.startsWith("Payments.java:10:") && error.contains("must not be final"))
                .anyMatch(error -> error.startsWith("Payments.java:11:") && error.contains("must not be static"));
    }

    @Test
    void aMethodOfAFinalClassIsReported() {
        assertThat(Compilation.of("""
                package demo;
                @jakarta.inject.Singleton
                final class Payments {
                    @io.idempotency.IdempotentOperation String pay(String id) { return id; }
                }
                """).errors())
                .first()
                .asString()
                .startsWith("Payments.java:4:")
                .contains("the class is final", "make class and method open", "all-open compiler plugin");
    }

    @Test
    void aMethodOfAFactorysBeanMustBePublic() {
        String factory = """
                package demo;
                @io.micronaut.context.annotation.Factory
                class Beans {
                    @jakarta.inject.Singleton Refunds refunds() { return new Refunds(); }
                }
                """;
        String bean = "package demo;\nclass Refunds {\n@io.idempotency.IdempotentOperation void pay(String id) {}\n}";
        assertThat(Compilation.of(factory, bean).errors())
                .singleElement()
                .asString()
                .startsWith("Refunds.java:3:")
                .contains("must not be less than public in a bean of a @Factory", "Make it public");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "class Refunds { public Refunds(String url) {} | needs a constructor without parameters",
                "class Refunds { private Refunds() {} static Refunds of() { return new Refunds(); } | needs a constructor without parameters",
                "final class Refunds { | the class is final",
                "record Refunds(String url) { | the class is final"
            })
    void aFactorysBeanThatHasNoProxyIsReportedAtTheOperationAndMicronautSaysNothing(String start, String message) {
        String factory = """
                package demo;
                @io.micronaut.context.annotation.Factory
                class Beans {
                    @jakarta.inject.Singleton Refunds refunds() { return null; }
                    @jakarta.inject.Singleton @jakarta.inject.Named("b") Refunds others = null;
                }
                """;
        String bean = "package demo;\npublic " + start
                + "\n@io.idempotency.IdempotentOperation public void pay(String id) {}\n}";
        assertThat(Compilation.of(factory, bean).errors())
                .singleElement()
                .asString()
                .startsWith("Refunds.java:3:")
                .contains(message);
    }

    @Test
    void aFactoryMayAllowAProxyWithConstructorArguments() {
        String factory = """
                package demo;
                @io.micronaut.context.annotation.Factory
                class Beans {
                    @io.micronaut.aop.Around(proxyTargetMode = io.micronaut.aop.Around.ProxyTargetConstructorMode.ALLOW)
                    @jakarta.inject.Singleton Refunds refunds() { return null; }
                }
                """;
        String bean = "package demo;\npublic class Refunds {\npublic Refunds(String url) {}\n"
                + "@io.idempotency.IdempotentOperation public void pay(String id) {}\n}";
        assertThat(Compilation.of(factory, bean).errors()).isEmpty();
    }

    @Test
    void aFactorysBeanThatIsHiddenFromItsOwnProxyIsReported() {
        String factory = """
                package demo;
                @io.micronaut.context.annotation.Factory
                class Beans {
                    @jakarta.inject.Singleton @io.micronaut.context.annotation.Bean(typed = TYPES)
                    Refunds refunds() { return new Refunds(); }
                }
                """;
        String bean = "package demo;\npublic class Refunds implements Runnable {\n"
                + "@io.idempotency.IdempotentOperation public void pay(String id) {}\npublic void run() {}\n}";
        assertThat(Compilation.of(factory.replace("TYPES", "Runnable.class"), bean)
                        .errors())
                .singleElement()
                .asString()
                .startsWith("Refunds.java:3:")
                .contains("@Bean(typed = …)", "Add Refunds.class to it");
        assertThat(Compilation.of(factory.replace("TYPES", "{Runnable.class, Refunds.class}"), bean)
                        .errors())
                .isEmpty();
    }

    @Test
    void aGenericClassIsCheckedWhereItsTypeArgumentsAreKnown() {
        String factory = """
                package demo;
                @io.micronaut.context.annotation.Factory
                class Beans {
                    @jakarta.inject.Singleton Refunds<String> refunds() { return new Refunds<>(); }
                }
                """;
        String bean = "package demo;\npublic class Refunds<T> {\n"
                + "@io.idempotency.IdempotentOperation(key = \"id\") public T pay(T id) { return id; }\n}";
        Compilation compilation = Compilation.of(factory, bean);
        assertThat(compilation.errors()).isEmpty();
        assertThat(compilation.warnings()).isEmpty();
        assertThat(Compilation.of(bean).errors())
                .singleElement()
                .asString()
                .startsWith("Refunds.java:3:")
                .contains("Refunds has no scope");
    }

    @Test
    void anAnnotationOnTheClassIsReportedBecauseEachMethodIsAnOperation() {
        String once = "package demo;\n@io.idempotency.IdempotentOperation\npublic @interface Once {}";
        String bean = "package demo;\n@Once @jakarta.inject.Singleton class Refunds { void pay(String id) {} }";
        assertThat(Compilation.of(once, bean).errors())
                .singleElement()
                .asString()
                .startsWith("Refunds.java:2:")
                .contains("belongs on methods", "Move it from the class to the methods.");
    }

    /** Their beans do not inherit it, so no method would be an operation. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "@Once abstract class Gateway { abstract void pay(String id); }\n"
                        + "@jakarta.inject.Singleton class Stripe extends Gateway { void pay(String id) {} }",
                "@Once interface Gateway { void pay(String id); }\n"
                        + "@jakarta.inject.Singleton class Stripe implements Gateway { public void pay(String id) {} }",
            })
    void anAnnotationOnAnAbstractClassOrInterfaceIsReportedToo(String types) {
        String once = "package demo;\n@java.lang.annotation.Retention(java.lang.annotation.RetentionPolicy.RUNTIME)\n"
                + "@io.idempotency.IdempotentOperation(key = \"id\")\npublic @interface Once {}";
        String other = "package demo;\n@Once\npublic @interface Other {}";
        assertThat(Compilation.of(once, other).errors()).isEmpty();
        assertThat(Compilation.of(once, other, "package demo;\n" + types).errors())
                .singleElement()
                .asString()
                .startsWith("Gateway.java:2:")
                .contains("belongs on methods", "Move it from the class to the methods.");
    }

    @Test
    void packagePrivateProtectedAndPublicMethodsAreFine() {
        assertThat(Payments.errors("""
                @IdempotentOperation String pay(String id) { return id; }
                @IdempotentOperation protected String refund(String id) { return id; }
                @IdempotentOperation public String payOut(String id) { return id; }
                """)).isEmpty();
    }

    @Test
    void aPackagePrivateMethodIsInheritedByBeansOfItsOwnPackageOnly() {
        String base = """
                package lib;
                public abstract class Base {
                    @io.idempotency.IdempotentOperation String charge(String id) { return id; }
                    public String chargeAll(String id) { return charge(id); }
                }
                """;
        String bean = "package app;\n@jakarta.inject.Singleton class Child extends lib.Base {}";
        assertThat(Compilation.of(base, bean).errors())
                .singleElement()
                .asString()
                .startsWith("Base.java:3:")
                .contains(
                        "Child.charge",
                        "must not be package-private in another package than its bean",
                        "The proxy in package app cannot override it: make it protected or public.");
        for (String visible : List.of("protected", "public")) {
            assertThat(Compilation.of(base.replace("String charge(", visible + " String charge("), bean)
                            .errors())
                    .as(visible)
                    .isEmpty();
        }
        assertThat(Compilation.of(base, bean.replace("package app", "package lib"))
                        .errors())
                .isEmpty();
    }

    @Test
    void anOverrideOfAnAnnotationThatIsNotInheritedIsReported() {
        String charged = """
                package demo;
                @java.lang.annotation.Retention(java.lang.annotation.RetentionPolicy.RUNTIME)
                @io.idempotency.IdempotentOperation(key = "id")
                public @interface Charged {}
                """;
        String gateway = "package demo;\npublic interface Gateway { @Charged String pay(String id); }";
        String stripe = """
                package demo;
                @jakarta.inject.Singleton
                public class Stripe implements Gateway {
                    @Override public String pay(String id) { return id; }
                }
                """;
        assertThat(Compilation.of(charged, gateway, stripe).errors())
                .singleElement()
                .asString()
                .contains("Stripe.pay", "is not @Inherited", "Write it here too");
        assertThat(Compilation.of(charged.replace("@io", "@java.lang.annotation.Inherited @io"), gateway, stripe)
                        .errors())
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"Around", "InterceptorBinding"})
    void aProtectedOverrideInAClassWithAdviceOfItsOwnIsReported(String advice) {
        String gateway = "package demo;\npublic abstract class Gateway {"
                + " @io.idempotency.IdempotentOperation(key = \"id\") protected abstract String pay(String id); }";
        String stripe = """
                package demo;
                @jakarta.inject.Singleton ADVICE
                public class Stripe extends Gateway {
                    @Override protected String pay(String id) { return id; }
                    @io.micronaut.aop.KIND
                    @java.lang.annotation.Retention(java.lang.annotation.RetentionPolicy.RUNTIME)
                    @interface Traced {}
                }
                """.replace("KIND", advice);
        assertThat(Compilation.of(gateway, stripe.replace("ADVICE", "@Stripe.Traced"))
                        .errors())
                .singleElement()
                .asString()
                .contains("must not be protected", "Annotate it here too");
        assertThat(Compilation.of(gateway, stripe.replace("ADVICE", "")).errors())
                .isEmpty();
    }

    @Test
    void anInheritedMethodThatImplementsAnOperationUnknowinglyIsOverridden() {
        String api = """
                package demo;
                interface OrderApi<T> {
                    @io.idempotency.IdempotentOperation(value = "create-order", key = "id") T create(T id);
                }
                """;
        String crud = "package demo;\nabstract class Crud { public String create(String id) { return id; } }";
        String service = "package demo;\n%sclass OrderService extends Crud implements OrderApi<String> { %s }";
        String override = "@Override public String create(String id) { return super.create(id); }";
        String factory = "package demo;\n@io.micronaut.context.annotation.Factory class Beans {"
                + " @jakarta.inject.Singleton OrderService service() { return new OrderService(); } }";
        String bean = "@jakarta.inject.Singleton ";
        for (Compilation compilation : List.of(
                Compilation.of(api, crud, service.formatted(bean, "")),
                Compilation.of(api, crud, service.formatted("", ""), factory),
                Compilation.of(
                        api,
                        crud,
                        service.formatted("abstract ", ""),
                        "package demo;\n@jakarta.inject.Singleton class Orders extends OrderService {}"))) {
            assertThat(compilation.errors())
                    .singleElement()
                    .asString()
                    .contains(
                            ".create: an @IdempotentOperation method must not be inherited from Crud, which does not"
                                    + " implement OrderApi",
                            "would run unprotected. Override it in Order");
        }
        for (Compilation compilation : List.of(
                Compilation.of(api, crud, service.formatted(bean, override)),
                Compilation.of(api, crud, service.formatted("", override), factory),
                Compilation.of(
                        api, crud.replace("Crud", "Crud implements OrderApi<String>"), service.formatted(bean, "")),
                Compilation.of(
                        crud, service.replace("implements OrderApi<String>", "").formatted(bean, "")))) {
            assertThat(compilation.errors()).isEmpty();
            assertThat(compilation.warnings()).isEmpty();
        }
    }
}
