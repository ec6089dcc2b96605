package io.idempotency.processor;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.processor.compile.Payments;
import io.micronaut.core.type.Argument;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ResultTypeTest {

    static Stream<Arguments> results() {
        Argument<?> strings = Argument.listOf(String.class);
        return Stream.of(
                Arguments.of("void", Argument.VOID),
                Arguments.of("Void", Argument.VOID),
                Arguments.of("CompletionStage<Void>", Argument.VOID),
                Arguments.of("reactor.core.publisher.Mono<Void>", Argument.VOID),
                Arguments.of("String", Argument.of(String.class)),
                Arguments.of("byte[]", Argument.of(byte[].class)),
                Arguments.of("List<String>[]", Argument.of(List[].class)),
                Arguments.of("List<String>", strings),
                Arguments.of("List<? extends String>", strings),
                Arguments.of("Optional<String>", Argument.of(Optional.class, Argument.of(String.class, "T"))),
                Arguments.of("CompletionStage<List<String>>", strings),
                Arguments.of("CompletableFuture<List<String>>", strings),
                Arguments.of("reactor.core.publisher.Mono<List<String>>", strings),
                Arguments.of("org.reactivestreams.Publisher<List<String>>", strings),
                Arguments.of("io.reactivex.rxjava3.core.Single<List<String>>", strings),
                Arguments.of("io.reactivex.rxjava3.core.Maybe<List<String>>", strings),
                Arguments.of("io.reactivex.rxjava3.core.Completable", Argument.VOID),
                Arguments.of(
                        "Map<String, List<String>>",
                        Argument.of(
                                Map.class,
                                Argument.of(String.class, "K"),
                                Argument.of(List.class, "V", Argument.of(String.class, "E")))));
    }

    @ParameterizedTest
    @MethodSource("results")
    void theRecordedValueHasItsWholeType(String declared, Argument<?> expected) {
        Argument<?> result = Payments.load("@IdempotentOperation public " + declared + " pay(String id) {"
                        + (declared.equals("void") ? "" : "return null;") + "}")
                .definition()
                .resultType();

        assertThat(result.equalsType(expected))
                .as("%s rather than %s", result.getTypeString(false), expected.getTypeString(false))
                .isTrue();
    }

    @Test
    void aPrimitiveStaysOne() {
        assertThat(Payments.load("@IdempotentOperation int pay(String id) { return 0; }")
                        .definition()
                        .resultType()
                        .getType())
                .isEqualTo(int.class);
    }

    @Test
    void aSuspendFunctionsIsThatOfItsContinuation() {
        assertThat(Payments.compileKotlin("@IdempotentOperation public Object pay(String id,"
                                + " suspend<? super List<? extends String>> completion) { return null; }")
                        .load()
                        .definition()
                        .resultType()
                        .equalsType(Argument.listOf(String.class)))
                .isTrue();
    }
}
