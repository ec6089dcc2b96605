package io.idempotency.runtime.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import io.idempotency.definition.FingerprintWriter;
import io.idempotency.definition.KeySource;
import io.idempotency.definition.OperationDefinition;
import io.idempotency.runtime.Effect;
import io.micronaut.context.ApplicationContext;
import io.micronaut.core.type.Argument;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import org.junit.jupiter.api.Test;

/** The lists of exception types of all operations, of the annotation and of one operation add up. */
class FailureTypesTest {

    /** As the processor generates it of an annotation with two lists. */
    private static final class Charge implements OperationDefinition {
        @Override
        public String name() {
            return "charge";
        }

        @Override
        public String origin() {
            return "Payments.charge()";
        }

        @Override
        public KeySource keySource() {
            return KeySource.ARGUMENTS;
        }

        @Override
        public void fingerprint(Object[] arguments, FingerprintWriter writer) {}

        @Override
        public Argument<?> resultType() {
            return Argument.VOID;
        }

        @Override
        public List<Class<? extends Throwable>> noEffectFor() {
            return List.of(IllegalStateException.class);
        }

        @Override
        public List<Class<? extends Throwable>> unknownFor() {
            return List.of(IllegalArgumentException.class);
        }
    }

    private static Map<Class<? extends Throwable>, Effect> declared(Map<String, Object> properties) {
        try (ApplicationContext context = ApplicationContext.run(properties)) {
            context.getBean(PropertyValidator.class).check();
            return context.getBean(PolicyMerger.class).policyOf(new Charge()).declaredEffects();
        }
    }

    @Test
    void theAnnotationAloneIsEnough() {
        assertThat(declared(Map.of()))
                .containsOnly(
                        entry(IllegalStateException.class, Effect.NONE),
                        entry(IllegalArgumentException.class, Effect.UNKNOWN));
    }

    @Test
    void listsOfTheConfigurationAddToTheAnnotationsAndTheMoreSpecificPlaceWinsForTheSameType() {
        Map<Class<? extends Throwable>, Effect> declared = declared(Map.of(
                "idempotency.no-effect-for", "java.util.NoSuchElementException, java.lang.IllegalArgumentException",
                "idempotency.unknown-for", List.of("java.io.IOException", "java.lang.ArithmeticException"),
                "idempotency.operations.charge.final-for",
                        List.of("java.lang.IllegalStateException", "java.lang.ArithmeticException")));
        assertThat(declared)
                .containsOnly(
                        entry(NoSuchElementException.class, Effect.NONE),
                        entry(IllegalArgumentException.class, Effect.UNKNOWN),
                        entry(IOException.class, Effect.UNKNOWN),
                        entry(ArithmeticException.class, Effect.FINAL),
                        entry(IllegalStateException.class, Effect.FINAL));
    }

    @Test
    void aTypeInTwoListsOfOnePlaceIsRefused() {
        assertThatThrownBy(() -> declared(Map.of(
                        "idempotency.no-effect-for", "java.lang.ArithmeticException",
                        "idempotency.final-for", "java.lang.ArithmeticException")))
                .hasMessageContaining(
                        "idempotency.final-for: java.lang.ArithmeticException is in another of the lists");
    }
}
