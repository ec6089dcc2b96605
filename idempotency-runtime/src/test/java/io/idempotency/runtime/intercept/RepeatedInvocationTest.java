package io.idempotency.runtime.intercept;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.IdempotentOperation;
import io.idempotency.OnFailure;
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
import org.junit.jupiter.api.Test;

/** Advice that makes an invocation again says that it is the same call. */
@MicronautTest(startApplication = false)
@Property(name = "test.same-call", value = "true")
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
    }

    @Inject
    Listener listener;

    @Test
    void anAttemptIsOfTheSameKeyWhateverTheBodyDidToItsArguments() {
        assertThat(listener.handle(new Message())).isEqualTo("handled");
        assertThat(listener.bodies).isEqualTo(2);
        assertThat(listener.handle(new Message())).isEqualTo("handled");
        assertThat(listener.bodies).isEqualTo(2);
    }
}
