package io.idempotency.processor.rule;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.processor.compile.Compilation;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RequestBodyRuleTest {

    private static List<String> errors(String method) {
        return Compilation.of("""
                package demo;
                import io.idempotency.*;
                import io.micronaut.http.HttpRequest;
                import io.micronaut.http.annotation.*;
                @Controller
                class Payments {
                """ + method + "\n}\n").errors();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "@Post @IdempotentOperation void pay(HttpRequest<?> request) {}",
                "@Post @IdempotentOperation void pay(HttpRequest<Object> request) {}",
                "@Put @IdempotentOperation void pay(HttpRequest<?> request, String id) {}",
                "@Post @IdempotentOperation void pay(HttpRequest<?> request, @Header(\"Request-Id\") @IdempotencyKey String id) {}",
                "@Post @IdempotentOperation(key = \"id\") void pay(HttpRequest<?> request, @Header String id) {}",
                "@Post @IdempotentOperation(key = \"id\") void pay(HttpRequest<?> request, String id) {}",
                "@Patch @IdempotentOperation void pay(HttpRequest<?> request, @Body(\"id\") String id) {}",
                "@Delete @IdempotentOperation void pay(HttpRequest<?> request, @NotFingerprinted @Body String body) {}",
                "@IdempotentOperation void charge(HttpRequest<?> request, String amount) {}"
            })
    void aBodyThatNobodyComparesIsAnError(String method) {
        assertThat(errors(method))
                .singleElement()
                .asString()
                .contains("'request' does not say what the body of the request is")
                .contains("HttpRequest<byte[]>")
                .contains("@NotFingerprinted");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "@Post @IdempotentOperation void pay(HttpRequest<String> request) {}",
                "@Post @IdempotentOperation void pay(HttpRequest<byte[]> request) {}",
                "@Post @IdempotentOperation void pay(HttpRequest<?> request, @Body String body) {}",
                "@Post @IdempotentOperation void pay(@NotFingerprinted HttpRequest<?> request) {}",
                "@Get @IdempotentOperation void pay(HttpRequest<?> request) {}",
                "@IdempotentOperation(key = \"id\") void pay(HttpRequest<?> request, String id) {}"
            })
    void aBodyThatIsComparedOrIsOfNoConcernIsFine(String method) {
        assertThat(errors(method)).isEmpty();
    }
}
