package io.idempotency.processor;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.definition.OperationDefinition;
import io.idempotency.processor.compile.Compilation;
import io.idempotency.processor.compile.Compiled;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** An annotation of the application's own that carries {@code @IdempotentOperation} and what it says by default. */
class HouseAnnotationTest {

    private static final String CHARGED = """
            package demo;
            import io.idempotency.*;
            import io.micronaut.context.annotation.AliasFor;
            import java.lang.annotation.*;
            // tag::charged[]
            @Inherited
            @Retention(RetentionPolicy.RUNTIME)
            @Target(ElementType.METHOD)
            @IdempotentOperation(key = "order", lease = "10s", onFailure = OnFailure.RELEASE, noEffectFor = IllegalStateException.class)
            public @interface Charged {
                @AliasFor(annotation = IdempotentOperation.class, member = "value") String value() default "";
                @AliasFor(annotation = IdempotentOperation.class, member = "lease") String lease() default "";
                @AliasFor(annotation = IdempotentOperation.class, member = "key") String key() default "";
                @AliasFor(annotation = IdempotentOperation.class, member = "noEffectFor")
                Class<? extends Throwable>[] noEffectFor() default {};
            }
            // end::charged[]
            """;

    private static Compilation bean(String annotation, String methods) {
        return Compilation.of(annotation, """
                package demo;
                import io.idempotency.*;
                @jakarta.inject.Singleton
                public class Payments {
                    %s
                }
                """.formatted(methods));
    }

    @Test
    void eachMethodNamesItselfAndTakesTheDefaultsOfTheHouse() {
        Compiled compiled = bean(CHARGED, """
                @Charged("charge-order") String charge(String order) { return ""; }
                @Charged("charge-fee") String fee(String order) { return ""; }
                """).load();
        for (String name : new String[] {"charge-order", "charge-fee"}) {
            OperationDefinition definition = compiled.definition(name);
            assertThat(definition.attributes())
                    .containsExactlyInAnyOrderEntriesOf(Map.of("lease", "PT10S", "onFailure", "RELEASE"));
            assertThat(definition.noEffectFor()).hasSize(1).first().isEqualTo(IllegalStateException.class);
            assertThat(definition.key(new Object[] {"o-1"})).isEqualTo("o-1");
        }
    }

    @Test
    void whatAMethodSaysCountsInsteadOfTheDefaultOfTheHouse() {
        OperationDefinition definition = bean(CHARGED, """
                @Charged(value = "charge-order", key = "id", lease = "1m", noEffectFor = IllegalArgumentException.class)
                String charge(String order, String id) { return ""; }
                """).load().definition();
        assertThat(definition.attributes()).containsEntry("lease", "PT1M").containsEntry("onFailure", "RELEASE");
        assertThat(definition.noEffectFor()).hasSize(1).first().isEqualTo(IllegalArgumentException.class);
        assertThat(definition.key(new Object[] {"o-1", "i-1"})).isEqualTo("i-1");
    }

    @Test
    void whatAMethodSaysIsChecked() {
        assertThat(bean(CHARGED, """
                @Charged(value = "charge-order", lease = "soon") String charge(String order) { return ""; }
                @Charged(value = "Charge Fee", key = "oder") String fee(String order) { return ""; }
                """).errors())
                .anyMatch(error -> error.contains("lease") && error.contains("soon"))
                .anyMatch(error -> error.contains("Charge Fee"))
                .anyMatch(error -> error.contains("'oder'"));
    }

    @Test
    void theAnnotationItselfOnTheMethodReplacesTheDefaultsOfTheHouse() {
        OperationDefinition definition = bean(CHARGED, """
                @Charged @IdempotentOperation(value = "charge-order", lease = "2m") String charge(String order) { return ""; }
                """).load().definition();
        assertThat(definition.attributes()).containsExactlyEntriesOf(Map.of("lease", "PT2M"));
        assertThat(definition.noEffectFor()).isEmpty();
    }

    @Test
    void anAnnotationThatNamesTheOperationSaysHowEachMethodCan() {
        String named = CHARGED.replace("(key = \"order\"", "(value = \"charge\", key = \"order\"");
        assertThat(bean(named, """
                @Charged String charge(String order) { return ""; }
                @Charged String fee(String order) { return ""; }
                """).errors())
                .hasSize(1)
                .first()
                .asString()
                .contains(
                        "the name 'charge' is taken by",
                        "@AliasFor(annotation = IdempotentOperation.class, member = \"value\")");
        assertThat(bean(named, """
                @Charged String charge(String order) { return ""; }
                @Charged("charge-fee") String fee(String order) { return ""; }
                """).load().definitions())
                .extracting(OperationDefinition::name)
                .containsExactlyInAnyOrder("charge", "charge-fee");
    }
}
