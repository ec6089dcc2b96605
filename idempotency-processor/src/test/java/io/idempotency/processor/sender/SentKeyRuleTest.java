package io.idempotency.processor.sender;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.processor.compile.Compilation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SentKeyRuleTest {

    @Test
    void twoKeysAreOneTooMany() {
        assertThat(Clients.compile(
                                "@Post(\"/a\") @SendsIdempotencyKey String pay(@Body String o, @IdempotencyKey String a, @IdempotencyKey String b);")
                        .errors())
                .singleElement()
                .asString()
                .startsWith("Psp.java:11:")
                .contains("Psp.pay: one request carries one key, and a, b are each marked");
    }

    @Test
    void anExpressionAndAParameterAreOneTooMany() {
        assertThat(Clients.compile(
                                "@Post(\"/a\") @SendsIdempotencyKey(key = \"#{ o }\") String pay(@Body String o, @IdempotencyKey String a);")
                        .errors())
                .singleElement()
                .asString()
                .contains("the key is given twice, as key = … and by @IdempotencyKey on a");
    }

    @Test
    void theKeysOfAnOperationAreTheOperations() {
        assertThat(Clients.compile(
                                "@Post(\"/a\") @SendsIdempotencyKey @IdempotentOperation(\"pay\") String pay(@Body String o, @IdempotencyKey String a, @IdempotencyKey String b);")
                        .errors())
                .isEmpty();
    }

    @Test
    void eitherAloneIsFine() {
        assertThat(Clients.annotated("@SendsIdempotencyKey", """
                        @Post("/a") String pay(@Body String o, @IdempotencyKey String a);
                        @Post("/b") @SendsIdempotencyKey(key = "#{ o }") String payOut(@Body String o);
                        @Post("/c") String refund(@Body String o);
                        """).errors()).isEmpty();
    }

    private static String method(String type) {
        return "enum Size { S } @Post(\"/a\") @SendsIdempotencyKey String pay(@Body String o, @IdempotencyKey " + type
                + " id);";
    }

    @ParameterizedTest
    @ValueSource(strings = {"String", "CharSequence", "UUID", "int", "long", "Long", "java.math.BigInteger", "Size"})
    void whatHasOneTextIsAKey(String type) {
        assertThat(Clients.compile(method(type)).errors()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"boolean", "double", "Object", "Date", "byte[]", "List<String>", "java.math.BigDecimal"})
    void whatHasNotIsRefused(String type) {
        assertThat(Clients.compile(method(type)).errors())
                .singleElement()
                .asString()
                .startsWith("Psp.java:11:")
                .contains("Psp.pay: the @IdempotencyKey 'id' is a ", "Take a String, a UUID");
    }

    @Test
    void aKeyThatWouldBeInTheBodyTooIsRefused() {
        assertThat(Clients.compile(
                                "@Post(\"/a\") @SendsIdempotencyKey String pay(@IdempotencyKey String id, String order);")
                        .errors())
                .singleElement()
                .asString()
                .startsWith("Psp.java:11:")
                .contains("Psp.pay: no parameter is the @Body", "@Header(\"Idempotency-Key\")", "key = \"#{ id }\"");
    }

    @Test
    void aKeyThatGoesSomewhereIsFine() {
        assertThat(Clients.annotated("@SendsIdempotencyKey", """
                        @Post("/a") String body(@IdempotencyKey String id, @Body String order);
                        @Post("/a/{id}") String path(@IdempotencyKey String id);
                        @Post("/a{?x,id}") String query(@IdempotencyKey String id, String x);
                        @Post("/a") String header(@IdempotencyKey @Header("Idempotency-Key") String id, String order);
                        @Post("/a") @SendsIdempotencyKey(key = "#{ id }") String both(String id, String order);
                        """).errors()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"order.id", "#{ order.id"})
    void aKeyThatIsTheSameForEveryCallIsRefused(String key) {
        assertThat(Clients.compile("@Post(\"/a\") @SendsIdempotencyKey(key = \"" + key
                                + "\") String pay(@Body String order);")
                        .errors())
                .singleElement()
                .asString()
                .startsWith("Psp.java:11:")
                .contains("Psp.pay: key = \"" + key + "\" is the same for every call", "#{ order.id }");
    }

    @ParameterizedTest
    @ValueSource(strings = {"pay-#{ o }", "#{ 'pay-' + o }"})
    void aKeyThatIsJoinedOfTextsHidesANull(String key) {
        assertThat(Clients.compile(
                                "@Post(\"/a\") @SendsIdempotencyKey(key = \"" + key + "\") String pay(@Body String o);")
                        .warnings())
                .singleElement()
                .asString()
                .startsWith("Psp.java:11:")
                .contains("Psp.pay: the key's expression joins texts", "a null in it becomes the text 'null'");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "private String pay(@IdempotencyKey String id) { return id; }",
                "static String pay(@IdempotencyKey String id) { return id; }",
                "final String pay(@IdempotencyKey String id) { return id; }"
            })
    void aMethodWhoseCallsCannotBeInterceptedIsRefused(String method) {
        assertThat(Compilation.of("package demo;\nimport io.idempotency.*;\n@jakarta.inject.Singleton class Psp {\n"
                                + "@SendsIdempotencyKey(service = \"psp\") " + method + "\n}")
                        .errors())
                .filteredOn(error -> error.contains("Psp.pay: "))
                .singleElement()
                .asString()
                .startsWith("Psp.java:4:")
                .contains("must not be private, static or final", "no key would be sent");
    }

    @ParameterizedTest
    @CsvSource({"\"psp\", the name", "service = \"x\", service"})
    void whatIsOneMethodsBelongsOnTheMethod(String attribute, String named) {
        assertThat(Clients.annotated(
                                "@SendsIdempotencyKey(" + attribute + ")", "@Post(\"/a\") String pay(@Body String o);")
                        .errors())
                .singleElement()
                .asString()
                .startsWith("Psp.java:10:")
                .contains("Psp: " + named + " in @SendsIdempotencyKey is one method's");
    }
}
