package io.idempotency.processor.rule;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.processor.compile.Compilation;
import io.idempotency.processor.compile.Payments;
import org.junit.jupiter.api.Test;

class SerializableResultRuleTest {

    private static final String SERDEABLE = """
            package io.micronaut.serde.annotation;
            public @interface Serdeable {
                @interface Serializable {}
                @interface Deserializable {}
            }
            """;
    private static final String IMPORT = """
            package io.micronaut.serde.annotation;
            @java.lang.annotation.Repeatable(SerdeImport.Repeated.class)
            public @interface SerdeImport {
                Class<?> value();
                @interface Repeated { SerdeImport[] value(); }
            }
            """;

    @Test
    void aResultThatMicronautSerializationDoesNotKnowIsReported() {
        assertThat(compile("""
                @IdempotentOperation Receipt pay(String id) { return null; }
                record Receipt(String id) {}
                """).errors())
                .containsExactly("Payments.java:10:30: Payments.pay: the result holds demo.Payments.Receipt, which"
                        + " Micronaut Serialization does not know, so recording it would fail when the body has already"
                        + " run. Add @Serdeable to it.");
    }

    @Test
    void soIsAPartOfAResult() {
        assertThat(compile("""
                @IdempotentOperation CompletionStage<List<Receipt>> pay(String id) { return null; }
                @io.micronaut.serde.annotation.Serdeable record Receipt(String id, Map<String, Line> lines) {}
                record Line(String sku) {}
                """).errors()).singleElement().asString().contains("the result holds demo.Payments.Line");
    }

    @Test
    void aTypeFromElsewhereMayBeKnownToASerializerAndIsAWarning() {
        Compilation compilation =
                compile("@IdempotentOperation org.assertj.core.data.Index pay(String id) { return null; }");

        assertThat(compilation.errors()).isEmpty();
        assertThat(compilation.warnings())
                .singleElement()
                .asString()
                .contains("org.assertj.core.data.Index", "ignore this if a @SerdeImport or a Serde bean knows it");
    }

    @Test
    void anImportOnTheBeanIsSeen() {
        String bean = Payments.with("@IdempotentOperation org.assertj.core.data.Index pay(String id) { return null; }")
                .replace(
                        "@Singleton class",
                        "@io.micronaut.serde.annotation.SerdeImport(org.assertj.core.data.Index.class)\n@Singleton class");
        assertThat(Compilation.of(bean, SERDEABLE, IMPORT).warnings()).isEmpty();
    }

    @Test
    void whatIsKnownIsFine() {
        assertThat(compile("""
                @IdempotentOperation io.micronaut.http.HttpResponse<Receipt> pay(String id) { return null; }
                @IdempotentOperation Map<String, List<Status>> list(String id) { return null; }
                @io.micronaut.serde.annotation.Serdeable record Receipt(String id, Status status, Receipt next) {}
                enum Status { PAID }
                """).errors()).isEmpty();
    }

    @Test
    void aTypeWithoutEndIsFollowedOnceAndLeftToItsOwnRule() {
        assertThat(compile("""
                @IdempotentOperation Grow<String> pay(String id) { return null; }
                @io.micronaut.serde.annotation.Serdeable
                record Grow<T>(Grow<List<T>> one, Grow<Set<T>> other, Map<T, Grow<T[]>> more) {}
                """).errors()).singleElement().asString().contains("its type arguments grow without end");
    }

    @Test
    void withoutMicronautSerializationNothingIsAsked() {
        assertThat(Payments.errors("""
                @IdempotentOperation Receipt pay(String id) { return null; }
                record Receipt(String id) {}
                """)).isEmpty();
    }

    private static Compilation compile(String members) {
        return Compilation.of(Payments.with(members), SERDEABLE);
    }
}
