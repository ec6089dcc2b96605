package io.idempotency.definition;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.IdempotentOperation;
import io.idempotency.SendsIdempotencyKey;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import org.junit.jupiter.api.Test;

/** Of classes that no processor has seen. */
class AnnotatedBeansTest {

    /** As an application writes its own name for an annotation; it may carry itself. */
    @Charged
    @IdempotentOperation
    @Retention(RetentionPolicy.RUNTIME)
    @interface Charged {}

    @Charged
    static class Base {
        void plain() {}
    }

    interface Sender {
        @SendsIdempotencyKey
        void send();
    }

    static class Payments extends Base implements Sender {
        @Charged
        void pay() {}

        @IdempotentOperation
        void refund() {}

        @Override
        public void send() {}
    }

    @Test
    void whatIsAnnotatedIsFoundWhereverTheAnnotationStands() {
        assertThat(AnnotatedBeans.annotated(Payments.class, it -> true))
                .containsExactlyInAnyOrder(
                        Base.class.getName(),
                        Payments.class.getName() + ".pay",
                        Payments.class.getName() + ".refund",
                        Sender.class.getName() + ".send");
    }

    @Test
    void whereNothingIsAnnotatedNothingIsFound() {
        assertThat(AnnotatedBeans.annotated(AnnotatedBeansTest.class, it -> true))
                .isEmpty();
    }
}
