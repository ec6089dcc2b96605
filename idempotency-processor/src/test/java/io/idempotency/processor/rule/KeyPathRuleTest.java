package io.idempotency.processor.rule;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.processor.compile.Compilation;
import io.idempotency.processor.compile.Payments;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeyPathRuleTest {

    private static final String ORDER =
            "\nrecord Order(String id, Customer customer) {}\nrecord Customer(String number) {}";

    @Test
    void aParameterThatDoesNotExistIsReportedWithThoseThatDo() {
        assertThat(Payments.errors(
                        "@IdempotentOperation(key = \"request.id\") void pay(Order order, int n) {}" + ORDER))
                .containsExactly(
                        "Payments.java:10:28: Payments.pay: The key 'request.id' starts with 'request', which is"
                                + " not a parameter; the parameters are order, n.");
    }

    @Test
    void aPropertyOfAParameterNamedAloneIsReportedWithTheWholePath() {
        assertThat(Payments.errors("@IdempotentOperation(key = \"id\") void pay(Order order) {}" + ORDER))
                .singleElement()
                .asString()
                .endsWith("Write key = \"order.id\".");
    }

    @Test
    void aPropertyThatDoesNotExistIsReportedWithThoseThatDo() {
        assertThat(Payments.errors(
                        "@IdempotentOperation(key = \"order.customer.id\") void pay(Order order) {}" + ORDER))
                .singleElement()
                .asString()
                .contains("breaks at 'id': demo.Payments.Customer has no such property. It has number.");
    }

    @Test
    void aGetterWithACheckedExceptionIsNoProperty() {
        assertThat(Payments.errors("@IdempotentOperation(key = \"it.name\") void pay(@NotFingerprinted Named it) {}"
                        + " interface Named { String getName() throws java.io.IOException; }"))
                .singleElement()
                .asString()
                .contains("breaks at 'name': demo.Payments.Named has no such property");
    }

    @Test
    void aPathThatEndsBeforeAValueIsReportedWithTheWayOn() {
        assertThat(Payments.errors("@IdempotentOperation(key = \"order.customer\") void pay(Order order) {}" + ORDER))
                .singleElement()
                .asString()
                .contains("ends at demo.Payments.Customer", "Go on to one of its properties: number.");
    }

    @Test
    void aKeyParameterThatIsNoSingleValueIsReported() {
        assertThat(Payments.errors("@IdempotentOperation void pay(@IdempotencyKey Order order) {}" + ORDER))
                .singleElement()
                .asString()
                .contains("The key 'order' ends at demo.Payments.Order");
    }

    @Test
    void whatIsNoPathIsReported() {
        for (String key : new String[] {".id", "id.", "a..b", "a[0]", "a['x]", "a b"}) {
            assertThat(Payments.errors("@IdempotentOperation(key = \"" + key + "\") void pay(String a) {}"))
                    .singleElement()
                    .asString()
                    .contains("The key '" + key + "' is no property path. Write one, for instance order.id");
        }
    }

    /** Micronaut takes it for a text, which is the same for every call. */
    @ParameterizedTest
    @ValueSource(strings = {"\"#{ a\"", "\"#{ a \" + \"'x'\"", "\"#{ a\\n}\"", "\"\"\"\n#{ a }\n\"\"\""})
    void whatMicronautTakesForNoExpressionIsNone(String key) {
        assertThat(Payments.errors("@IdempotentOperation(key = " + key + ") void pay(String a) {}"))
                .singleElement()
                .asString()
                .contains("is no property path. Write one", "or an expression #{…} on one line");
    }

    @Test
    void onlyMapsFromTextsAreReadByAKey() {
        assertThat(Payments.errors("@IdempotentOperation(key = \"a['x']\") void pay(Map<Integer, String> a) {}"))
                .singleElement()
                .asString()
                .contains("breaks at ['x']: java.util.Map is not a map from texts.");
    }

    @Test
    void aTypeThatGeneratedCodeCannotSeeIsReported() {
        assertThat(Payments.errors("@IdempotentOperation(key = \"a.id\") void pay(@NotFingerprinted Secret a) {}"
                        + " private record Secret(String id) {}"))
                .singleElement()
                .asString()
                .contains("code in package demo cannot see it");
    }

    @Test
    void aKeyWithoutParametersIsReported() {
        assertThat(Payments.errors("@IdempotentOperation(key = \"id\") void pay() {}"))
                .singleElement()
                .asString()
                .contains("'id', which is not a parameter; the method has none.");
    }

    /** The library checks and unquotes what is a parameter, and no property of a bean that the route made. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "record R(@Header(\"Idempotency-Key\") String k) {}",
                "record R(@QueryValue String q, @Header Optional<String> k) {}",
                "@io.micronaut.core.annotation.Introspected static class R { private final String k;"
                        + " R(@Header String k) { this.k = k; } public String getK() { return k; } }",
                "@io.micronaut.core.annotation.Introspected static class R { @Header private String k;"
                        + " public String getK() { return k; } public void setK(String k) { this.k = k; } }",
            })
    void aHeaderInARequestBeanIsReportedWithTheParameterToTake(String bean) {
        assertThat(route(bean + " @Post @IdempotentOperation(key = \"r.k\") public void pay(@RequestBean R r) {}"))
                .singleElement()
                .asString()
                .contains(
                        "The key 'r.k' reads a header in a @RequestBean", "Take the header as a parameter of its own");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "record R(@Header String x, @QueryValue String k) {}"
                        + " @Post @IdempotentOperation(key = \"r.k\") public void pay(@RequestBean R r) {}",
                "record R(@Header String k) {} @IdempotentOperation(key = \"r.k\") void pay(R r) {}",
                "record R(@Header String k) {} @io.micronaut.http.client.annotation.Client(\"/\") interface Psp {"
                        + " @Post @IdempotentOperation(key = \"r.k\") String pay(@RequestBean R r); }",
            })
    void whatElseIsInABeanIsAKey(String members) {
        assertThat(route(members)).isEmpty();
    }

    private static List<String> route(String members) {
        return Compilation.of("package demo;\nimport io.idempotency.*;\nimport io.micronaut.http.annotation.*;\n"
                        + "import java.util.*;\n@Controller class Payments { " + members + " }")
                .errors();
    }

    @Test
    void aPathThatLeadsToAValueIsFine() {
        assertThat(Payments.errors(
                        "@IdempotentOperation(key = \"order.customer.number\") void pay(Order order) {}" + ORDER))
                .isEmpty();
    }
}
