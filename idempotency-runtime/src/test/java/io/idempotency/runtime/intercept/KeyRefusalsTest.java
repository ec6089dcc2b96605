package io.idempotency.runtime.intercept;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idempotency.IdempotentOperation;
import io.idempotency.InvalidIdempotencyKeyException;
import io.idempotency.MissingIdempotencyKeyException;
import io.micronaut.context.annotation.Property;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import org.junit.jupiter.api.Test;

/** What is said of a key that is not there can be followed. */
@MicronautTest
@Property(name = "key-refusals", value = "true")
class KeyRefusalsTest {

    record Order(@Nullable String id) {}

    @Singleton
    @Requires(property = "key-refusals")
    static class Keyed {

        int bodies;

        @IdempotentOperation(key = "order.id")
        void unnamed(Order order) {
            bodies++;
        }

        @IdempotentOperation(value = "named-key", key = "order.id")
        void named(Order order) {
            bodies++;
        }

        @IdempotentOperation(value = "evaluated-key", key = "#{ order.id().strip() }")
        void evaluated(Order order) {
            bodies++;
        }
    }

    @Inject
    Keyed keyed;

    @Test
    void anOperationOfANameIsToldItsProperty() {
        assertThatThrownBy(() -> keyed.named(new Order(null)))
                .isInstanceOf(MissingIdempotencyKeyException.class)
                .hasMessageContaining("its key 'order.id' is null, empty or blank. The body did not run.")
                .hasMessageContaining("(idempotency.operations.named-key.key-required)");
    }

    @Test
    void anOperationWithoutANameIsToldThatAPropertyNeedsOne() {
        assertThatThrownBy(() -> keyed.unnamed(new Order(null)))
                .isInstanceOf(MissingIdempotencyKeyException.class)
                .hasMessageContaining("keyRequired = false")
                .hasMessageContaining(
                        "(idempotency.operations.<name>.key-required, once the annotation gives it a name)");
    }

    @Test
    void anExpressionThatCannotBeEvaluatedIsARefusalBeforeTheBody() {
        assertThatThrownBy(() -> keyed.evaluated(new Order(null)))
                .isInstanceOf(InvalidIdempotencyKeyException.class)
                .hasMessageContaining("'evaluated-key'")
                .hasMessageContaining("the expression of its key cannot be evaluated")
                .hasMessageContaining("The body did not run.")
                .hasRootCauseInstanceOf(NullPointerException.class);
        assertThat(keyed.bodies).isZero();
    }
}
