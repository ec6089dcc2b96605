package io.idempotency.definition;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.IdempotentOperation;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Of classes that no processor has seen. */
class AnnotatedClassTest {

    /** As an application writes its own name for an annotation; it may carry itself. */
    @Looked
    @Sought
    @Retention(RetentionPolicy.RUNTIME)
    @interface Looked {}

    @Retention(RetentionPolicy.RUNTIME)
    @interface Sought {}

    @Sought
    static class Base {
        void plain() {}
    }

    static class Payments extends Base {
        @Looked
        void pay() {}

        @Sought
        void refund() {}
    }

    @Test
    void whatIsAnnotatedIsFoundWhereverTheAnnotationStands() {
        assertThat(AnnotatedClass.methods(Payments.class, List.of(Sought.class)))
                .containsExactlyInAnyOrder(
                        Base.class.getName(), Payments.class.getName() + ".pay", Payments.class.getName() + ".refund");
    }

    @Test
    void whereNothingIsAnnotatedNothingIsFound() {
        assertThat(AnnotatedClass.methods(Payments.class, List.of(IdempotentOperation.class)))
                .isEmpty();
        assertThat(AnnotatedClass.valueClassFunctions(Payments.class, List.of(Sought.class)))
                .isEmpty();
    }
}
