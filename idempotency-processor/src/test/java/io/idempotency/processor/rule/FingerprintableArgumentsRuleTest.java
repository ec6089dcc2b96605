package io.idempotency.processor.rule;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.processor.compile.Compilation;
import io.idempotency.processor.compile.Payments;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FingerprintableArgumentsRuleTest {

    /** As collections of libraries do, which write themselves. */
    @Test
    void aClassWhoseFieldsAreAllTransientIsNotWrittenWithoutThem() {
        assertThat(Payments.errors("""
                @IdempotentOperation void pay(Bag bag) {}
                static class Bag {
                    private transient String[] content = {};
                    public boolean isEmpty() { return content.length == 0; }
                }
                """)).singleElement().asString().contains("its field content cannot be read");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "private String paid; private boolean isPaid; public String getPaid() { return paid; } | field isPaid",
                "private boolean isPaid; public Boolean isPaid() { return isPaid; } public String getPaid() { return null; } | field isPaid",
                "private String x; private String _x; public String getX() { return x; } | field _x",
                "private String voucher; public boolean isVoucher() { return voucher != null; } | field voucher",
                "private String isVoucher; public boolean isVoucher() { return isVoucher != null; } | field isVoucher",
                "private char grade; public boolean isGrade() { return grade != 0; } | field grade",
                "private boolean[] all; public boolean isAll() { return all[0]; } | field all",
                "private String name; public String getName() throws java.io.IOException { return name; } | field name",
                "private String name; public String name() throws Exception { return name; } | field name",
                "private String[] line; public String line() { return line[0]; } | field line",
            })
    void aFieldThatNoPropertyTellsWholeIsHidden(String members, String field) {
        assertThat(Payments.errors("@IdempotentOperation void pay(Bean bean) {} static class Bean { " + members + " }"))
                .singleElement()
                .asString()
                .contains("its " + field + " cannot be read. Add a getter that throws no checked exception");
    }

    @Test
    void aRecordMayHaveAMethodNamedLikeAComponent() {
        assertThat(Payments.errors("""
                @IdempotentOperation(key = "order.total") void pay(Order order) {}
                record Order(String id, String total) {
                    public String total() { return total; }
                    public Order total(String other) { return new Order(id, other); }
                }
                """)).isEmpty();
    }

    @Test
    void theWholePathIsNamedAtTheParameter() {
        assertThat(Payments.errors("""
                @IdempotentOperation void pay(Order order) {}
                record Order(String id, Map<String, Extra> extras) {}
                record Extra(Runnable value) {}
                """))
                .containsExactly(
                        "Payments.java:10:37: Payments.pay: 'order.extras.value.value' of type java.lang.Runnable"
                                + " cannot be fingerprinted: it is abstract, and stands for what a value does rather than"
                                + " for what it holds. Take the data that matters as the parameter, or mark it"
                                + " @NotFingerprinted.");
    }

    @Test
    void aParameterWhoseNameIsNotInItsClassFileIsReported() {
        String api = "package demo;\npublic interface Api {\n"
                + "@io.idempotency.IdempotentOperation(key = \"id\") void pay(String id, int %s);\n}";
        String bean = "package demo;\n@jakarta.inject.Singleton class Stripe implements Api {\n"
                + "public void pay(String id, int arg1) {}\n}";
        assertThat(Compilation.withoutNames(api.formatted("count")).again(bean).errors())
                .anyMatch(error -> error.startsWith("Stripe.java:3:")
                        && error.contains("'arg0' is not the parameter's name: the class file of demo.Api has none")
                        && error.contains("-parameters"));
        assertThat(Compilation.of(api.formatted("count")).again(bean).errors()).isEmpty();
        assertThat(Compilation.of(api.formatted("arg1"), bean).errors()).isEmpty();
        String former = bean.replace("String id", "@io.idempotency.fingerprint.FingerprintName(\"arg0\") String id");
        assertThat(Compilation.of(api.formatted("count")).again(former).errors())
                .isEmpty();
    }

    @Test
    void everyArgumentThatCannotBeFingerprintedIsReported() {
        assertThat(Payments.errors("@IdempotentOperation void pay(Random a, Runnable b) {}"))
                .hasSize(2);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Runnable | stands for what a value does",
                "java.util.function.Supplier<String> | stands for what a value does",
                "List<Comparator<String>> | stands for what a value does",
                "java.sql.Connection | stands for what a value does",
                "Callback | stands for what a value does",
                "Source | stands for what a value does",
                "CompletableFuture<String> | it is not there yet",
                "Feed | it is not there yet",
                "java.io.InputStream | reading it would use it up",
                "Iterator<String> | reading it would use it up",
                "Random | it has no canonical form",
                "Hidden | its field secret cannot be read",
                "Opaque | it has no properties that can be read",
                "Inner | code in package demo cannot see it",
                "Grow<String> | grow without end",
            })
    void whyAndWhatToDoIsSaid(String type, String why) {
        Compilation compilation =
                Compilation.of(Payments.with("@IdempotentOperation void pay(" + type + " argument) {}" + """
                record Grow<T>(Grow<List<T>> next) {}
                private record Inner(String id) {}
                static class Opaque {}
                static class Hidden {
                    private final String secret = "s";
                    public String getName() { return "n"; }
                }
                interface Callback { void done(String id); }
                @FunctionalInterface interface Source { String get(); }
                interface Feed extends Flow.Publisher<String> { String getName(); }
                """));
        assertThat(compilation.errors()).singleElement().asString().contains(why, "@NotFingerprinted");
        assertThat(compilation.warnings()).isEmpty();
    }

    @Test
    void anOpenTypeIsWrittenAsJsonWithAWarningAtTheParameter() {
        Compilation compilation = Compilation.of(Payments.with("""
                @IdempotentOperation void pay(Order order) {}
                record Order(String id, Map<String, Object> extras) {}
                """));

        assertThat(compilation.errors()).isEmpty();
        assertThat(compilation.warnings())
                .containsExactly("Payments.java:10:37: Payments.pay: 'order.extras.value' of type java.lang.Object: it"
                        + " can hold anything, so its value is written as JSON at run time. That is slower, two values"
                        + " of the same JSON are the same, and a value that the JSON mapper cannot write is refused"
                        + " before the body runs. Declare a closed type, name all subtypes in @JsonSubTypes (a sealed"
                        + " type of Kotlin too, whose stubs are not sealed), or mark it @NotFingerprinted.");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Object | it can hold anything",
                "List | it can hold anything",
                "List<?> | it can hold anything",
                "List<? super Integer> | it can hold anything",
                "Object[] | it can hold anything",
                "Optional<?> | it can hold anything",
                "Number | it is abstract",
                "java.io.Serializable | it is abstract",
                "Means | it is abstract",
                "Marker | it is abstract",
                "Base | it is abstract",
                "Closed | it is abstract",
            })
    void whichTypesAreOpen(String type, String why) {
        Compilation compilation =
                Compilation.of(Payments.with("@IdempotentOperation void pay(" + type + " argument) {}" + """
                interface Means { String id(); }
                interface Marker {}
                abstract static class Base { public String getId() { return "i"; } }
                sealed interface Closed permits Card, Open {}
                record Card(String number) implements Closed {}
                non-sealed interface Open extends Closed { String id(); }
                """));
        assertThat(compilation.errors()).isEmpty();
        assertThat(compilation.warnings())
                .filteredOn(warning -> warning.contains("written as JSON"))
                .singleElement()
                .asString()
                .contains(why);
    }

    @Test
    void whatIsMarkedIsNotReported() {
        assertThat(Payments.errors("""
                @IdempotentOperation void pay(@NotFingerprinted Object trace, Order order, Clock clock) {}
                record Order(@NotFingerprinted Object extra, Clock clock) {}
                @NotFingerprinted interface Clock {}
                """)).isEmpty();
    }

    @Test
    void aClassWithSubclassesIsAWarningAtTheParameter() {
        assertThat(Payments.compile("""
                @IdempotentOperation void pay(List<Box> boxes) {}
                record Box(Animal animal) {}
                static class Animal { public String getName() { return "rex"; } }
                static abstract class Pet extends Animal {}
                static class Dog extends Pet { public String getBreed() { return "boxer"; } }""").reportedWarnings())
                .singleElement()
                .asString()
                .startsWith("Payments.java:10:")
                .contains(
                        "'boxes[].animal' of type demo.Payments.Animal has the subclasses demo.Payments.Dog, and a value")
                .contains("[idempotency:subclassedArgument]");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Held<? extends String> held | 'held' of type demo.Payments.Held",
                "Order order | 'order.held' of type demo.Payments.Held",
                "List<? extends Held<? super Integer>> many | 'many[]' of type demo.Payments.Held",
            })
    void aTypeThatMicronautsModelCannotReadIsAnErrorAtTheParameter(String parameter, String where) {
        assertThat(unreadable("@IdempotentOperation(key = \"id\") void pay(String id, " + parameter + ") {}"))
                .singleElement()
                .asString()
                .startsWith("Payments.java:10:")
                .contains(where + " cannot be fingerprinted: Micronaut cannot read")
                .contains("[idempotency:unfingerprintableArgument]");
    }

    private static List<String> unreadable(String operation) {
        return Payments.compile(operation + """

                record Order(String id, Held<? extends Number> held) {}
                record Held<T>(T[] all) {}""").reportedErrors();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "(key = \"held.all\") void pay(Held<? extends String> held) {} | keyPath",
                "() Held<? extends Number> pay(@IdempotencyKey String id) { return null; } | unreplayableResult",
                "() Mono<Order> pay(@IdempotencyKey String id) { return null; } | unreplayableResult",
            })
    void whereverItIsUsedTheCompilerGoesOn(String operation, String id) {
        assertThat(unreadable("@IdempotentOperation" + operation.replace("Mono", CompletionStage.class.getName())))
                .anySatisfy(error -> assertThat(error)
                        .startsWith("Payments.java:10:")
                        .contains("Micronaut cannot read it", "[idempotency:" + id + "]"));
    }
}
