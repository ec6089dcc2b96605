package io.idempotency.runtime.intercept;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idempotency.IdempotencyExecutor;
import io.micronaut.context.ApplicationContext;
import io.micronaut.context.exceptions.ConfigurationException;
import io.micronaut.inject.qualifiers.Qualifiers;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An operation is one method of one class, unless a namespace is written down. */
@Tag("thorough")
class OperationOwnersTest {

    private static final String GATEWAY =
            "public interface Gateway { @IdempotentOperation(ATTRIBUTES key = \"id\") String pay(String id); }";

    private static String gateway(String attributes) {
        return GATEWAY.replace("ATTRIBUTES", attributes.isEmpty() ? "" : attributes + ",");
    }

    /** A bean with an operation, whose method has its name. */
    private static String operation(String type, String name, String attributes) {
        return "@Singleton public class " + type + " { @IdempotentOperation(value = \"" + name + "\", key = \"id\""
                + (attributes.isEmpty() ? "" : ", " + attributes) + ") public String " + name
                + "(String id) { return \"\"; } }";
    }

    private static String bean(String type, String annotations) {
        return annotations + " public class " + type + " implements Gateway {"
                + " @Override public String pay(String id) { return \"" + type + "\"; } }";
    }

    private static void assertRefused(Modules modules, String... texts) {
        assertThatThrownBy(() -> modules.start(Map.of()).close()).satisfies(refusal -> {
            for (String text : texts) {
                assertThat(refusal).hasStackTraceContaining(text);
            }
        });
    }

    @Test
    void twoModulesWithOneNameAndEqualMethodsDoNotStart() {
        String cards = "@Singleton public class Cards { @IdempotentOperation(value = \"pay\", key = \"id\") public"
                + " String pay(String id) { return \"card\"; } }";
        assertRefused(
                new Modules().and(cards).and(cards.replace("Cards", "Vouchers")),
                "Two operations are named 'pay'",
                "demo.Cards.pay(java.lang.String)",
                "demo.Vouchers.pay(java.lang.String)",
                "Rename one");
        assertRefused(
                new Modules()
                        .and(cards.replace("key =", "namespace = \"money\", key ="))
                        .and(cards.replace("key =", "namespace = \"money\", key =")
                                .replace("Cards", "Vouchers")),
                "Two operations are named 'pay'");
    }

    @Test
    void beansThatInheritANamelessMethodAreOperationsOfTheirOwn() {
        Modules modules =
                new Modules().and(gateway("")).and(bean("Stripe", "@Singleton")).and(bean("Paypal", "@Singleton"));
        try (ApplicationContext context = modules.start(Map.of())) {
            assertThat(Modules.pay(Modules.bean(context, "Stripe"), "o-1")).isEqualTo("Stripe");
            assertThat(Modules.pay(Modules.bean(context, "Paypal"), "o-1")).isEqualTo("Paypal");
        }
    }

    @Test
    void beansThatInheritOneNameDoNotStart() {
        assertRefused(
                new Modules()
                        .and(gateway("value = \"pay\""), bean("Stripe", "@Singleton"), bean("Paypal", "@Prototype")),
                "Two operations are named 'pay'",
                "demo.Stripe.pay(java.lang.String)",
                "demo.Paypal.pay(java.lang.String)",
                "They inherit it from demo.Gateway",
                "namespace");
    }

    @Test
    void aNamespaceThatIsWrittenDownMakesThemOneOperation() {
        Modules modules = new Modules()
                .and(
                        gateway("value = \"pay\", namespace = \"gateways\""),
                        bean("Stripe", "@Singleton"),
                        bean("Paypal", "@Singleton"));
        try (ApplicationContext context = modules.start(Map.of())) {
            assertThat(Modules.pay(Modules.bean(context, "Stripe"), "o-1")).isEqualTo("Stripe");
            assertThat(Modules.pay(Modules.bean(context, "Paypal"), "o-1")).isEqualTo("Stripe");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"@Singleton @Replaces(Stripe.class)", "@Singleton @Requires(property = \"nowhere\")"})
    void ofBeansThatReplaceEachOtherOneIsAlive(String annotations) {
        Modules modules = new Modules()
                .and(gateway("value = \"pay\""), bean("Stripe", "@Singleton"), bean("Paypal", annotations));
        try (ApplicationContext context = modules.start(Map.of())) {
            assertThat(Modules.pay(Modules.bean(context, "Gateway"), "o-1")).isIn("Stripe", "Paypal");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "@Replaces(value = Stripe.class, named = \"other\")",
                "@Replaces(value = Stripe.class, factory = Makes.class)",
                "@Requires(property = \"nowhere\") @Replaces(Stripe.class)"
            })
    void oneThatIsReplacedUnderAConditionOnlyIsAlive(String replaces) {
        assertRefused(
                new Modules()
                        .and(
                                gateway("value = \"pay\""),
                                "@Factory public class Makes {}",
                                bean("Stripe", "@Singleton"),
                                bean("Paypal", "@Singleton"),
                                "@Singleton " + replaces + " public class Third {}"),
                "Two operations are named 'pay'",
                "demo.Stripe.pay(java.lang.String)",
                "demo.Paypal.pay(java.lang.String)");
    }

    @Test
    void operationsOfOneNamespaceThatIsolateTheirCallersAndDoNotAreRefused() {
        String first = operation("Cards", "spend", "namespace = \"money\"");
        String second = operation("Vouchers", "redeem", "namespace = \"money\", otherCallers = OtherCallers.ISOLATE");
        assertRefused(
                new Modules().and(first).and(second),
                "Operations of the namespace 'money' share their keys",
                "demo.Vouchers.redeem(java.lang.String) isolates its callers",
                "demo.Cards.spend(java.lang.String) does not",
                "other-callers");
        for (String other : new String[] {"DEFAULT", "SHARE", "FORBID"}) {
            new Modules()
                    .and(first)
                    .and(second.replace("ISOLATE", other))
                    .start(Map.of())
                    .close();
        }
    }

    /** Each store would grant the key once. */
    @Test
    void operationsOfOneNamespaceInTwoStoresAreRefused() {
        Modules both = new Modules()
                .and(operation("Cards", "spend", "namespace = \"money\""))
                .and(operation("Vouchers", "redeem", "namespace = \"money\""));
        assertThatThrownBy(() -> both.start(Map.of(
                                "test.stores",
                                true,
                                "idempotency.store",
                                "blocking",
                                "idempotency.operations.redeem.store",
                                "other"))
                        .close())
                .hasStackTraceContaining("Operations of the namespace 'money' share their keys")
                .hasStackTraceContaining("the store 'other'")
                .hasStackTraceContaining("idempotency.operations.");
        both.start(Map.of("test.stores", true, "idempotency.store", "other")).close();
    }

    @Test
    void theNameOfAnOperationIsTheNamespaceThatAnotherOneJoins() {
        String first = operation("Cards", "spend", "");
        String second = operation("Vouchers", "redeem", "namespace = \"spend\", store = \"other\"");
        for (Modules both : List.of(
                new Modules().and(first).and(second), new Modules().and(second).and(first))) {
            assertThatThrownBy(() -> both.start(Map.of("test.stores", true, "idempotency.store", "blocking"))
                            .close())
                    .hasStackTraceContaining("Operations of the namespace 'spend' share their keys");
            both.start(Map.of("test.stores", true, "idempotency.store", "other"))
                    .close();
        }
    }

    /** Of which Micronaut makes no proxy of another bean. */
    @Test
    void aDeclarativeClientIsComparedWithTheOperationsOfItsNamespace() {
        String stub = "@Singleton @io.micronaut.aop.InterceptorBean(Stubbed.class) public class Stub implements"
                + " io.micronaut.aop.MethodInterceptor<Object, Object> { public Object intercept("
                + "io.micronaut.aop.MethodInvocationContext<Object, Object> call) { return \"stub\"; } }";
        String mark = "@io.micronaut.aop.Introduction @java.lang.annotation.Retention("
                + "java.lang.annotation.RetentionPolicy.RUNTIME) public @interface Stubbed {}";
        String client =
                "@Stubbed @Singleton public interface Psp { @IdempotentOperation(value = \"psp-charge\", namespace ="
                        + " \"money\", key = \"id\", store = \"other\") String charge(String id); }";
        Modules both = new Modules().and(mark, stub, client, operation("Cards", "spend", "namespace = \"money\""));
        assertThatThrownBy(() -> both.start(Map.of("test.stores", true, "idempotency.store", "blocking"))
                        .close())
                .hasStackTraceContaining("Operations of the namespace 'money' share their keys");
        both.start(Map.of("test.stores", true, "idempotency.store", "other")).close();
    }

    @Test
    void aBeanThatIsReplacedHasNoSayAboutItsNamespace() {
        String first = operation("Cards", "spend", "namespace = \"money\", store = \"other\"");
        String second = first.replace("@Singleton", "@Singleton @Replaces(Cards.class)")
                .replace("class Cards", "class Fakes extends Cards")
                .replace("@IdempotentOperation", "@Override @IdempotentOperation")
                .replace("\"spend\"", "\"pretend\"")
                .replace("\"other\"", "\"blocking\"");
        Map<String, Object> stores = Map.of("test.stores", true, "idempotency.store", "blocking");
        new Modules().and(first, second).start(stores).close();
        Modules three = new Modules()
                .and(first, second, operation("Vouchers", "redeem", "namespace = \"money\", store = \"other\""));
        assertThatThrownBy(() -> three.start(stores).close())
                .hasStackTraceContaining("Operations of the namespace 'money' share their keys");
    }

    @Test
    void severalBeansOfOneClassDoNotStartUnlessANamespaceSaysThatTheyShare() {
        String each = bean("Stripe", "@EachProperty(\"providers\")");
        Map<String, Object> providers = Map.of("providers.a.url", "/a", "providers.b.url", "/b");
        Modules apart = new Modules().and(gateway(""), each);
        assertThatThrownBy(() -> apart.start(providers).close())
                .hasStackTraceContaining("of a class with several beans")
                .hasStackTraceContaining("write a namespace");
        new Modules()
                .and(gateway("namespace = \"gateways\""), each)
                .start(providers)
                .close();
    }

    @Test
    void whatTheBeansAreCalledAsMakesNoDifference() {
        String each =
                "@EachProperty(\"providers\") @Bean(typed = Runnable.class) public class Stripe implements Runnable {"
                        + " public void run() { pay(\"o-1\"); } @IdempotentOperation(key = \"id\") public String pay(String id) {"
                        + " return id; } }";
        Map<String, Object> providers = Map.of("providers.a.url", "/a", "providers.b.url", "/b");
        assertThatThrownBy(() -> new Modules().and(each).start(providers).close())
                .hasStackTraceContaining("of a class with several beans");
        new Modules().and(each).start(Map.of("providers.a.url", "/a")).close();
    }

    @Test
    void severalProductsOfOneClassAreRefusedBeforeTheirBodyRuns() {
        String factory = "@Factory public class Makes {"
                + " @Singleton @Named(\"a\") Stripe a() { return new Stripe(); }"
                + " @Singleton @Named(\"b\") Stripe b() { return new Stripe(); } }";
        for (String attributes : new String[] {"", "namespace = \"gateways\""}) {
            Modules modules = new Modules().and(gateway(attributes), bean("Stripe", ""), factory);
            try (ApplicationContext context = modules.start(Map.of())) {
                Class<?> type = Modules.type(context, "Stripe");
                Object bean = context.getBean(type, Qualifiers.byName("a"));
                if (attributes.isEmpty()) {
                    assertThatThrownBy(() -> Modules.pay(bean, "o-1"))
                            .hasRootCauseInstanceOf(ConfigurationException.class)
                            .hasStackTraceContaining("of a class with several beans");
                } else {
                    assertThat(Modules.pay(bean, "o-1")).isEqualTo("Stripe");
                }
            }
        }
    }

    @Test
    void severalInstancesOfOneBeanAreOneOperation() {
        Modules modules = new Modules().and(gateway("value = \"pay\""), bean("Stripe", "@Prototype"));
        try (ApplicationContext context = modules.start(Map.of())) {
            assertThat(Modules.pay(Modules.bean(context, "Stripe"), "o-1")).isEqualTo("Stripe");
            assertThat(Modules.pay(Modules.bean(context, "Stripe"), "o-1")).isEqualTo("Stripe");
        }
    }

    private static final String CHARGED = "@Singleton public class Cards { @IdempotentOperation(value = \"pay\", key ="
            + " \"id\", onAbandoned = OnAbandoned.RECONCILE) public String pay(String id) { return \"charged\"; } }";

    /** A bean that answers for the operation of {@link #CHARGED}. */
    private static String finder(String type, String annotations) {
        return annotations + " public class " + type + " {"
                + " @Reconciles(\"pay\") public Reconciliation<String> find(String id) {"
                + " return Reconciliation.done(\"" + type + "\"); }"
                + " @Reloads(\"pay\") public String read(String id) { return \"" + type + "\"; } }";
    }

    @ParameterizedTest
    @ValueSource(strings = {"Reconciles", "Reloads"})
    void twoModulesWithEqualMethodsThatAnswerForAnOperationDoNotStart(String annotation) {
        String other = annotation.equals("Reconciles") ? "Reloads" : "Reconciles";
        String archive = finder("Archive", "@Singleton").replaceAll("@" + other + "\\(\"pay\"\\)", "");
        assertRefused(
                new Modules().and(CHARGED).and(finder("Ledger", "@Singleton")).and(archive),
                "Operation 'pay' has two @" + annotation + " methods",
                "demo.Ledger",
                "demo.Archive");
    }

    @ParameterizedTest
    @ValueSource(strings = {"Archive", "ZArchive"})
    void aBeanThatReplacesAnotherAnswersForItsOperationWhicheverIsFoundFirst(String type) {
        Modules modules = new Modules()
                .and(CHARGED)
                .and(finder("Ledger", "@Singleton"))
                .and(finder(type, "@Singleton @Replaces(Ledger.class)"));
        try (ApplicationContext context = modules.start(Map.of("idempotency.operations.pay.max-result-size", 1))) {
            Object cards = Modules.bean(context, "Cards");
            assertThat(Modules.pay(cards, "o-1")).isEqualTo("charged");
            assertThat(Modules.pay(cards, "o-1")).isEqualTo(type);
        }
    }

    @Test
    void aBeanThatIsReplacedAnswersForNothing() {
        String replaces = "@Singleton @Replaces(Ledger.class) public class Fake {}";
        assertRefused(
                new Modules().and(CHARGED, finder("Ledger", "@Singleton"), replaces),
                "no bean has a method @Reconciles(\"pay\")");
        // nor is it asked where its operation is its own, as a test's mock replaces both
        String both = finder("Cards", "@Singleton")
                .replace("{ @Rec", CHARGED.substring(CHARGED.indexOf("{"), CHARGED.length() - 1) + " @Rec");
        new Modules()
                .and(both, replaces.replace("Ledger", "Cards"))
                .start(Map.of())
                .close();
    }

    @Test
    void callsByHandOfOneNameHaveOneResultType() {
        try (ApplicationContext context = ApplicationContext.run()) {
            IdempotencyExecutor executor = context.getBean(IdempotencyExecutor.class);
            assertThat(executor.execute("pay-by-hand", "k", null, Integer.class, () -> 1))
                    .isEqualTo(1);
            assertThat(executor.execute("pay-by-hand", "k", null, int.class, () -> 2))
                    .isEqualTo(1);
            assertThatThrownBy(() -> executor.execute("pay-by-hand", "k", null, String.class, () -> "voucher"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("'pay-by-hand'")
                    .hasMessageContaining("One operation has one result")
                    .hasMessageContaining("The body did not run.");
        }
    }
}
