package io.idempotency.runtime.intercept;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idempotency.IdempotentOperation;
import io.idempotency.OnAbandoned;
import io.idempotency.OnFailure;
import io.idempotency.Reconciles;
import io.idempotency.Reconciliation;
import io.idempotency.runtime.IdempotencyRecords;
import io.idempotency.runtime.call.Operation;
import io.idempotency.runtime.codec.ArgumentsCodec;
import io.idempotency.runtime.config.OperationBinder;
import io.idempotency.runtime.store.StoredRecord;
import io.micronaut.aop.Around;
import io.micronaut.aop.InterceptorBean;
import io.micronaut.aop.MethodInterceptor;
import io.micronaut.aop.MethodInvocationContext;
import io.micronaut.context.annotation.Property;
import io.micronaut.context.annotation.Requires;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/** Advice that makes an invocation again says that it is the same call. */
@MicronautTest(startApplication = false)
@Property(name = "test.same-call", value = "true")
@Property(name = "idempotency.encryption.key", value = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=")
class RepeatedInvocationTest {

    static final class Message {
        String key = "first";

        public String getKey() {
            return key;
        }
    }

    @Around
    @Retention(RetentionPolicy.RUNTIME)
    @interface MadeAgain {}

    @Singleton
    @InterceptorBean(MadeAgain.class)
    @Requires(property = "test.same-call")
    static class Again implements MethodInterceptor<Object, Object> {

        @Override
        public int getOrder() {
            return -100;
        }

        @Override
        public Object intercept(MethodInvocationContext<Object, Object> context) {
            RepeatedInvocation.mark(context);
            try {
                return context.proceed();
            } catch (IllegalStateException e) {
                return context.proceed(this);
            }
        }
    }

    @Singleton
    @Requires(property = "test.same-call")
    static class Listener {

        int bodies;

        @MadeAgain
        @IdempotentOperation(value = "same-call", key = "message.key", onFailure = OnFailure.RELEASE)
        String handle(Message message) {
            message.key = "changed by the body";
            if (++bodies == 1) {
                throw new IllegalStateException("nothing was done");
            }
            return "handled";
        }

        @MadeAgain
        @IdempotentOperation(
                value = "same-order",
                key = "id",
                onFailure = OnFailure.RELEASE,
                onAbandoned = OnAbandoned.RECONCILE,
                storeArguments = true)
        public String order(String id, List<String> items) throws TimeoutException {
            if (items.remove("pen")) {
                throw new IllegalStateException("nothing was done");
            }
            throw new TimeoutException();
        }

        @Reconciles("same-order")
        Reconciliation<String> find(String id, List<String> items) {
            return Reconciliation.unknown("not asked");
        }
    }

    @Inject
    Listener listener;

    @Inject
    IdempotencyRecords records;

    @Inject
    OperationBinder operations;

    @Inject
    ArgumentsCodec kept;

    @Test
    void anAttemptIsOfTheSameKeyWhateverTheBodyDidToItsArguments() {
        assertThat(listener.handle(new Message())).isEqualTo("handled");
        assertThat(listener.bodies).isEqualTo(2);
        assertThat(listener.handle(new Message())).isEqualTo("handled");
        assertThat(listener.bodies).isEqualTo(2);
    }

    /** A reconciler is asked with what the call was made with. */
    @Test
    void anAttemptKeepsTheArgumentsThatTheFirstOneHad() {
        List<String> items = new ArrayList<>(List.of("pen", "ink"));
        assertThatThrownBy(() -> listener.order("o-1", items)).isInstanceOf(TimeoutException.class);
        StoredRecord record =
                records.find("same-order", "o-1", null).orElseThrow().record();
        Operation operation = operations.named("same-order").orElseThrow().operation();
        assertThat(kept.in(operation, record)).containsEntry("items", List.of("pen", "ink"));
    }
}
