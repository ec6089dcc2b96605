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
                "Thread | no data",
                "List<Exception> | Throw it, or return what it says as a value",
                "Holder<java.io.InputStream> | 'held': java.io.InputStream can be read once only",
                "Outer | 'holder.held': java.lang.Thread is alive",
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
                                        + "private record Secret(String id) {}\nrecord Holder<T>(T held) {}\nrecord Outer(Holder<Thread> holder) {}\nstatic class Promise extends CompletableFuture<String> {}"))
                .singleElement()
                .asString()
                .startsWith("Payments.java:10:")
                .contains("cannot be recorded and replayed", remedy);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "record Grow<T>(T value, Grow<List<T>> one, Grow<Set<T>> other, Thread thread) {}",
                "static final class Grow<T> { public Grow<Grow<T>> next; }",
                "record Grow<T>(Map<String, Grow<T[]>> next) {}",
            })
    void aResultWithoutEndIsReportedOnce(String type) {
        assertThat(Payments.errors(
                        "@IdempotentOperation(key = \"id\") Grow<String> pay(String id) { return null; }\n" + type))
                .singleElement()
                .asString()
                .startsWith("Payments.java:10:")
                .contains("cannot be recorded and replayed", "its type arguments grow without end")
                .hasSizeLessThan(400);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Object | Name a concrete type",
                "List<?> | Name a concrete type",
                "CompletableFuture<Object> | Name a concrete type",
                "io.reactivex.rxjava3.core.Maybe | Name a concrete type",
                "Number | for instance Long or BigDecimal",
                "CharSequence | Declare String",
                "java.sql.Connection | Name a concrete type",
                "java.util.function.Supplier<String> | Name a concrete type",
                "Holder<Map<String, Object>> | 'held': nothing says what type a duplicate shall get for java.lang.Object",
                "Outer | 'holder.held': nothing says what type a duplicate shall get for java.lang.Number",
                "Open | demo.Payments.Open is abstract",
                "Holder<Means> | nothing in the JSON of demo.Payments.Means says which of Card, Cash it was",
                "Secretive | 'secret': @JsonIgnore keeps it out of the record",
                "Base | has the subclasses demo.Payments.Sub",
                "Holder<Base> | has the subclasses demo.Payments.Sub",
            })
    void whatWouldComeBackAsSomethingElseIsReported(String type, String remedy) {
        String parts = """
                 pay(String id) { return null; }
                record Holder<T>(T held) {}
                record Outer(Holder<Number> holder) {}
                interface Open { String id(); }
                sealed interface Means permits Card, Cash {}
                record Card(String number) implements Means {}
                record Cash(int coins) implements Means {}
                record Secretive(String id, @com.fasterxml.jackson.annotation.JsonIgnore String secret) {}
                static class Base { public String getId() { return "1"; } }
                static class Sub extends Base { public String getMore() { return "2"; } }
                """;
        String operation = "@IdempotentOperation(key = \"id\") " + type;
        assertThat(Payments.errors(operation + parts))
                .singleElement()
                .asString()
                .startsWith("Payments.java:10:")
                .contains(remedy);
        assertThat(Payments.errors("@SuppressWarnings(\"idempotency:inexactResult\") " + operation + parts))
                .isEmpty();
    }

    @Test
    void hierarchiesThatSayWhichOneItWasAreFine() {
        assertThat(Payments.errors("""
                @IdempotentOperation(key = "id") Page pay(String id) { return null; }
                record Page(List<Means> means, Map<String, Base> bases, Color color, Optional<Page> next) {}
                enum Color { RED, GREEN { @Override public String toString() { return ""; } } }
                @com.fasterxml.jackson.annotation.JsonTypeInfo(use = com.fasterxml.jackson.annotation.JsonTypeInfo.Id.NAME)
                sealed interface Means permits Card, Cash {}
                record Card(String number) implements Means {}
                record Cash(int coins) implements Means {}
                @com.fasterxml.jackson.annotation.JsonTypeInfo(use = com.fasterxml.jackson.annotation.JsonTypeInfo.Id.NAME)
                static class Base {
                    public String getId() { return "1"; }
                    @com.fasterxml.jackson.annotation.JsonIgnore public boolean isDerived() { return true; }
                }
                static class Sub extends Base {}
                """)).isEmpty();
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
        for (String body : List.of("Map<String, Object>", "List<?>", "Map<String, List<Object>>", "Map")) {
            assertThat(errorsOfARoute("HttpResponse<java.util." + body.replace(" L", " java.util.L") + ">", ""))
                    .as(body)
                    .isEmpty();
        }
    }

    @Test
    void whatARouteSendsOtherwiseThanAsPlainJsonNeedsAType() {
        for (String annotation : List.of(
                "@Produces(\"application/xml\")",
                "@Produces({\"application/json\", \"text/xml\"})",
                "@com.fasterxml.jackson.annotation.JsonView(Runnable.class)",
                "@io.micronaut.views.View(\"receipt\")")) {
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
        assertThat(errorsOfARoute("HttpResponse<java.util.concurrent.ConcurrentMap<String, Object>>", ""))
                .singleElement()
                .asString()
                .contains("Name a concrete type");
        assertThat(errorsOfARoute("java.util.Map<String, Object>", ""))
                .singleElement()
                .asString()
                .contains("Name a concrete type");
    }

    private static List<String> errorsOfARoute(String type, String annotation) {
        return Compilation.of("""
                package io.micronaut.views;
                public @interface View { String value(); }
                """, """
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
