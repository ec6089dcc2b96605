package io.idempotency.processor.rule;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.processor.compile.Compilation;
import io.idempotency.processor.compile.Payments;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GeneratedPropertiesTest {

    private static Compilation compile(String annotation, String order) {
        int dot = annotation.lastIndexOf('.');
        String declared = "package " + annotation.substring(0, dot) + ";\n"
                + "@java.lang.annotation.Retention(java.lang.annotation.RetentionPolicy.RUNTIME)\n"
                + "public @interface " + annotation.substring(dot + 1) + " {}";
        return Compilation.of(
                Payments.with("@IdempotentOperation(key = \"order.name\") void pay(Order order) {}\n"
                        + order.replace("@It", "@" + annotation)),
                declared);
    }

    @ParameterizedTest
    @CsvSource({
        "jakarta.persistence.Version",
        "jakarta.persistence.GeneratedValue",
        "io.micronaut.data.annotation.DateUpdated",
        "org.hibernate.annotations.CreationTimestamp"
    })
    void whatTheDatabaseSetsIsAWarning(String annotation) {
        assertThat(compile(annotation, """
                static class Order {
                    @It private Long version;
                    private String name;
                    public Long getVersion() { return version; }
                    public String getName() { return name; }
                }""").reportedWarnings())
                .singleElement()
                .asString()
                .startsWith("Payments.java:10:")
                .contains("'order.version' is set when the entity is stored", "[idempotency:generatedProperty]");
        assertThat(compile(annotation, "record Order(String name, @It Long version) {}")
                        .warnings())
                .hasSize(1);
    }

    @Test
    void whatIsLeftOutIsFine() {
        assertThat(compile(
                                "jakarta.persistence.Version",
                                "record Order(String name, @NotFingerprinted @It Long version) {}")
                        .warnings())
                .isEmpty();
    }
}
