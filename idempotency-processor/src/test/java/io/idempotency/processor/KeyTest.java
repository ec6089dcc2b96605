package io.idempotency.processor;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.definition.KeySource;
import io.idempotency.definition.OperationDefinition;
import io.idempotency.processor.compile.Compilation;
import io.idempotency.processor.compile.Compiled;
import io.idempotency.processor.compile.Payments;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.util.Currency;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class KeyTest {

    private static final String ORDER = """

            record Order(String id, Customer customer) {}
            static class Customer {
                private final Address address;
                Customer(Address address) { this.address = address; }
                public Address getAddress() { return address; }
            }
            record Address(String city) {}
            """;

    @Test
    void aPathIsFollowedThroughRecordsAndGetters() {
        Compiled payments = Payments.load(
                "@IdempotentOperation(key = \"order.customer.address.city\") void pay(int n, Order order) {}" + ORDER);
        Object order = order(payments, payments.create("demo.Payments$Address", "Berlin"));

        assertThat(payments.definition().keySource()).isEqualTo(KeySource.PARAMETERS);
        assertThat(payments.definition().keyDescription()).isEqualTo("order.customer.address.city");
        assertThat(payments.key(1, order)).isEqualTo("Berlin");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "@IdempotentOperation(\"pay\") @Post void pay(@IdempotencyKey @Header(\"X-Key\") String k, @Body String b)",
                "@IdempotentOperation(key = \"k\") @Post void pay(@Header String k, @Body String b)",
                "@IdempotentOperation @Post void pay(@IdempotencyKey @Header String k, @IdempotencyKey @Body String b)",
                "record R(@QueryValue String k) {} @IdempotentOperation(key = \"r.k\") @Post void pay(@RequestBean R r)",
                "@IdempotentOperation @Post void pay(@Body String b)"
            })
    void aKeyFromAHeaderOfARequestIsTheClients(String route) {
        assertThat(controller(route).clientsKey()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "@IdempotentOperation(key = \"b\") @Post void pay(@Header String k, @Body String b)",
                "@IdempotentOperation(key = \"k\") @Post(\"/{k}\") void pay(String k, @Body String b)",
                "@IdempotentOperation(key = \"k\") void pay(@Header String k)",
                "@IdempotentOperation void pay(String k)"
            })
    void everyOtherKeyIsTheApplications(String method) {
        assertThat(controller(method).clientsKey()).isFalse();
    }

    private static OperationDefinition controller(String method) {
        return Compilation.of("package demo;\nimport io.idempotency.*;\nimport io.micronaut.http.annotation.*;\n"
                        + "@Controller class Payments { " + method.replace(" void ", " public void ") + " {} }")
                .load()
                .definition();
    }

    @Test
    void nullAnywhereOnThePathIsANullKey() {
        Compiled payments = Payments.load(
                "@IdempotentOperation(key = \"order.customer.address.city\") void pay(Order order) {}" + ORDER);

        assertThat(payments.key((Object) null)).isNull();
        assertThat(payments.key(payments.create("demo.Payments$Order", "o-1", null)))
                .isNull();
        assertThat(payments.key(order(payments, null))).isNull();
        assertThat(payments.key(order(payments, payments.create("demo.Payments$Address", (Object) null))))
                .isNull();
        assertThat(payments.key(order(payments, payments.create("demo.Payments$Address", ""))))
                .isNull();
    }

    private static Object order(Compiled payments, Object address) {
        return payments.create("demo.Payments$Order", "o-1", payments.create("demo.Payments$Customer", address));
    }

    @Test
    void anOptionalOnThePathIsFollowedAndEmptyIsANullKey() {
        Compiled payments = Payments.load("""
                @IdempotentOperation(key = "order.customer.number") void pay(Optional<Order> order) {}
                record Order(Optional<Customer> customer) {}
                record Customer(Optional<String> number) {}
                """);
        Object customer = payments.create("demo.Payments$Customer", Optional.of("c-1"));

        assertThat(payments.key(Optional.of(payments.create("demo.Payments$Order", Optional.of(customer)))))
                .isEqualTo("c-1");
        assertThat(payments.key(Optional.of(payments.create("demo.Payments$Order", Optional.empty()))))
                .isNull();
        assertThat(payments.key(Optional.empty())).isNull();
    }

    @Test
    void aMapIsReadByALiteralKey() {
        Compiled payments = Payments.load("""
                @IdempotentOperation(key = "message.headers['message-\\"id%s'].id") void pay(Message message) {}
                record Message(Map<String, Header> headers) {}
                record Header(UUID id) {}
                """);
        Object header = payments.create("demo.Payments$Header", new UUID(0, 1));

        assertThat(payments.key(payments.create("demo.Payments$Message", Map.of("message-\"id%s", header))))
                .isEqualTo("uuid(00000000-0000-0000-0000-000000000001)");
        assertThat(payments.key(payments.create("demo.Payments$Message", Map.of())))
                .isNull();
    }

    @Test
    void aPublicFieldIsAProperty() {
        Compiled payments = Payments.load("""
                @IdempotentOperation(key = "order.id") void pay(Order order) {}
                public static class Order { public String id = "o-1"; }
                """);

        assertThat(payments.key(payments.create("demo.Payments$Order"))).isEqualTo("o-1");
    }

    @Test
    void severalKeyParametersAreJoinedInTheirOrder() {
        Compiled payments = Payments.load(
                "@IdempotentOperation void pay(@IdempotencyKey String a, int b, @IdempotencyKey long c) {}");

        assertThat(payments.key("x", 1, 7L)).isEqualTo("keys(1:x10:integer(7))");
        assertThat(payments.key(null, 1, 7L)).isNull();
        assertThat(payments.definition().keyDescription()).isEqualTo("a, c");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "\t", "\u00a0", " \u3000\n", "\ufeff", "\u200b \u0000"})
    void aBlankKeyIsNone(String blank) {
        assertThat(Payments.load("@IdempotentOperation(key = \"id\") void pay(String id) {}")
                        .key(blank))
                .isNull();
        assertThat(Payments.load("@IdempotentOperation void pay(@IdempotencyKey String a, @IdempotencyKey int b) {}")
                        .key(blank, 1))
                .isNull();
    }

    static Stream<Arguments> values() {
        return Stream.of(
                Arguments.of("String", "o-1", "o-1"),
                Arguments.of("String", "integer(1)", "text(integer(1))"),
                Arguments.of("CharSequence", new StringBuilder("o-1"), "o-1"),
                Arguments.of("int", 1, "integer(1)"),
                Arguments.of("Long", 1L, "integer(1)"),
                Arguments.of("short", (short) 1, "integer(1)"),
                Arguments.of("BigInteger", BigInteger.ONE, "integer(1)"),
                Arguments.of("BigDecimal", new BigDecimal("1.50"), "decimal(1.5)"),
                Arguments.of("double", 1.5, "double(3ff8000000000000)"),
                Arguments.of("Double", 2e23, "double(44c52d02c7e14af6)"),
                Arguments.of("float", 1.5f, "float(3fc00000)"),
                Arguments.of("java.sql.Date", new java.sql.Date(0), "epoch-millis(0)"),
                Arguments.of("boolean", true, "boolean(true)"),
                Arguments.of("char", 'c', "char(c)"),
                Arguments.of("UUID", new UUID(0, 1), "uuid(00000000-0000-0000-0000-000000000001)"),
                Arguments.of("Instant", Instant.EPOCH, "instant(1970-01-01T00:00:00Z)"),
                Arguments.of("TimeUnit", java.util.concurrent.TimeUnit.DAYS, "enum(DAYS)"),
                Arguments.of("Locale", Locale.GERMANY, "locale(de-DE)"),
                Arguments.of("Currency", Currency.getInstance("EUR"), "currency(EUR)"),
                Arguments.of("byte[]", new byte[] {1, 127}, "bytes(017f)"));
    }

    @ParameterizedTest
    @MethodSource("values")
    void valuesOfDifferentTypesAreDifferentKeys(String type, Object value, String key) {
        Compiled payments =
                Payments.load("@SuppressWarnings({\"idempotency:constantKey\", \"idempotency:floatingKey\"})"
                        + " @IdempotentOperation(key = \"id\") void pay(" + type + " id) {}");

        assertThat(payments.key(value)).isEqualTo(key);
    }

    @Test
    void anExpressionIsLeftToMicronaut() {
        OperationDefinition definition = Payments.load("@IdempotentOperation(key = \"#{ id }\") void pay(String id) {}")
                .definition();

        assertThat(definition.keySource()).isEqualTo(KeySource.EXPRESSION);
        assertThat(definition.key(new Object[] {"o-1"})).isNull();
    }

    @Test
    void withoutAKeyTheArgumentsAreIt() {
        assertThat(Payments.load("@IdempotentOperation void pay(String id) {}")
                        .definition()
                        .keySource())
                .isEqualTo(KeySource.ARGUMENTS);
    }

    @Test
    void aRouteOfAControllerTakesTheHeaderUnlessItNamesAKey() {
        Compiled controller = Compilation.of("""
                package demo;
                import io.idempotency.*;
                import io.micronaut.http.annotation.*;
                @Controller
                class Payments {
                    @Post("/a") @IdempotentOperation("by-header") void a(String id) {}
                    @Post("/b") @IdempotentOperation(value = "by-path", key = "id") void b(String id) {}
                    @IdempotentOperation("no-route") void c(String id) {}
                }
                """).load();

        assertThat(List.of("by-header", "by-path", "no-route"))
                .extracting(name -> controller.definition(name).keySource())
                .containsExactly(KeySource.HEADER, KeySource.PARAMETERS, KeySource.ARGUMENTS);
    }

    @Test
    void aDeclarativeClientIsTheSendingSideAndHasNoRoute() {
        Compiled client = Compilation.of("""
                package demo;
                @io.micronaut.http.client.annotation.Client("/")
                interface Payments {
                    @io.micronaut.http.annotation.Post("/a") @io.idempotency.IdempotentOperation String a(String id);
                }
                """).load();

        assertThat(client.definition().keySource()).isEqualTo(KeySource.ARGUMENTS);
    }
}
