package io.idempotency.runtime.intercept;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.IdempotentOperation;
import io.micronaut.context.annotation.Property;
import io.micronaut.context.annotation.Requires;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import jakarta.inject.Inject;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import org.junit.jupiter.api.Test;

/** Keys that Micronaut evaluates. */
@MicronautTest(startApplication = false)
@Property(name = "test.key-expression", value = "true")
class KeyExpressionTest {

    record Order(String id) {}

    @Singleton
    @Named("${test.key-expression.name:shop}")
    @Requires(property = "test.key-expression")
    static class Shop {

        private int bodies;

        @IdempotentOperation(value = "expression-beside-placeholder", key = "#{ order.id() }")
        int pay(Order order) {
            return ++bodies;
        }
    }

    @Singleton
    @Requires(property = "test.key-expression")
    static class Kiosk {

        private int bodies;

        @Property(name = "test", value = "${test.key-expression.name:kiosk}")
        @IdempotentOperation(value = "expression-below-placeholder", key = "#{ order.id() }")
        int pay(Order order) {
            return ++bodies;
        }
    }

    @Inject
    Shop shop;

    @Inject
    Kiosk kiosk;

    @Test
    void anExpressionIsEvaluatedWhereAnotherAnnotationOfTheBeanHasAPlaceholder() {
        assertThat(shop.pay(new Order("a"))).isEqualTo(1);
        assertThat(shop.pay(new Order("a"))).isEqualTo(1);
        assertThat(shop.pay(new Order("b"))).isEqualTo(2);
    }

    @Test
    void anExpressionIsEvaluatedWhereAnotherAnnotationOfTheMethodHasAPlaceholder() {
        assertThat(kiosk.pay(new Order("a"))).isEqualTo(1);
        assertThat(kiosk.pay(new Order("a"))).isEqualTo(1);
        assertThat(kiosk.pay(new Order("b"))).isEqualTo(2);
    }
}
