package io.idempotency.processor.rule;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.processor.compile.Compilation;
import io.idempotency.processor.compile.Payments;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ReplayableResultRuleTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Object | Name a concrete type, or void",
                "List<?> | Name a concrete type, or void",
                "CompletableFuture<Object> | Name a concrete type, or void",
                "java.io.InputStream | Return the content as a value",
                "java.util.stream.Stream<String> | Return the content as a value",
                "CompletionStage<Iterator<String>> | Return the content as a value",
                "Future<String> | Return CompletionStage or Mono",
                "List<Future<String>> | Return CompletionStage or Mono",
                "reactor.core.publisher.Flux<String> | Return Mono<List<…>>",
                "io.reactivex.rxjava3.core.Flowable<String> | Return Mono<List<…>>",
                "io.reactivex.rxjava3.core.Observable<String> | Return Mono<List<…>>",
                "java.util.concurrent.Flow.Publisher<String> | Return Mono<List<…>>",
                "Promise | Return one of these",
                "io.reactivex.rxjava3.subjects.SingleSubject<String> | Return one of these",
                "io.reactivex.rxjava3.core.Single<io.reactivex.rxjava3.core.Maybe<String>> | Return CompletionStage or Mono",
                "io.reactivex.rxjava3.core.Maybe | Name a concrete type, or void",
                "CompletionStage<io.reactivex.rxjava3.core.Observable<String>> | Return CompletionStage or Mono",
                "java.io.File | serve it by another method",
                "io.micronaut.http.server.types.files.SystemFile | serve it by another method",
                "io.micronaut.http.server.types.files.StreamedFile | serve it by another method",
                "io.micronaut.http.HttpResponse<io.micronaut.http.server.types.files.StreamedFile> | serve it by another method",
                "io.micronaut.http.HttpResponse<java.io.InputStream> | Return the content as a value",
                "Secret | Make the type package-private there or public",
            })
    void whatCannotBeReplayedIsReportedWithWhatToReturnInstead(String type, String remedy) {
        assertThat(
                        Payments.errors(
                                "@IdempotentOperation(key = \"id\") " + type + " pay(String id) { return null; }\n"
                                        + "private record Secret(String id) {}\nstatic class Promise extends CompletableFuture<String> {}"))
                .singleElement()
                .asString()
                .startsWith("Payments.java:10:")
                .contains("cannot be recorded and replayed", remedy);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "void",
                "int",
                "String",
                "byte[]",
                "List<String>",
                "Optional<String>",
                "Map<String, List<Integer>>",
                "CompletionStage<Void>",
                "CompletableFuture<String>",
                "reactor.core.publisher.Mono<List<String>>",
                "org.reactivestreams.Publisher<String>",
                "io.reactivex.rxjava3.core.Single<String>",
                "io.reactivex.rxjava3.core.Maybe<String>",
                "io.reactivex.rxjava3.core.Completable",
                "io.micronaut.http.HttpResponse<String>",
            })
    void valuesAndWhatCarriesOneAreFine(String type) {
        String result = type.equals("void") ? "" : type.equals("int") ? "return 0;" : "return null;";
        assertThat(Payments.errors("@IdempotentOperation(key = \"id\") " + type + " pay(String id) {" + result + "}"))
                .isEmpty();
    }

    @Test
    void aRouteMayLeaveTheTypeOfItsBodyOpen() {
        assertThat(errorsOfARoute("HttpResponse<?>", "")).isEmpty();
        assertThat(errorsOfARoute("MutableHttpResponse<?>", "")).isEmpty();
        assertThat(errorsOfARoute("HttpResponse", "")).isEmpty();
        assertThat(errorsOfARoute("HttpResponse<Object>", "")).isEmpty();
        assertThat(errorsOfARoute("java.util.concurrent.CompletionStage<HttpResponse<?>>", ""))
                .isEmpty();
        assertThat(errorsOfARoute("HttpResponse<?>", "@Produces({\"application/json\", \"application/hal+json\"})"))
                .isEmpty();
    }

    @Test
    void whatARouteSendsOtherwiseThanAsPlainJsonNeedsAType() {
        for (String annotation : List.of(
                "@Produces(\"application/xml\")",
                "@Produces({\"application/json\", \"text/xml\"})",
                "@com.fasterxml.jackson.annotation.JsonView(Runnable.class)")) {
            assertThat(errorsOfARoute("HttpResponse<?>", annotation))
                    .singleElement()
                    .asString()
                    .contains("HttpResponse<?> cannot be recorded and replayed", "Name the body's type");
        }
    }

    @Test
    void elsewhereAResponseOfAnyBodyIsNoResult() {
        assertThat(Payments.errors("@IdempotentOperation(key = \"id\") io.micronaut.http.HttpResponse<?> pay(String id)"
                        + " { return null; }"))
                .singleElement()
                .asString()
                .contains("nothing says what type of body a duplicate shall get");
        assertThat(errorsOfARoute("HttpResponse<java.util.List<?>>", ""))
                .singleElement()
                .asString()
                .contains("Name a concrete type");
    }

    private static List<String> errorsOfARoute(String type, String annotation) {
        return Compilation.of("""
                package demo;
                import io.idempotency.IdempotentOperation;
                import io.micronaut.http.*;
                import io.micronaut.http.annotation.*;
                @Controller("/pay") class Payments {
                    @Post %s @IdempotentOperation("pay") %s pay(String id) { return null; }
                }
                """.formatted(annotation, type)).errors();
    }
}
