package io.idempotency.runtime.intercept;

import io.idempotency.Reloads;
import io.idempotency.runtime.call.Invocation;
import io.micronaut.aop.MethodInvocationContext;
import io.micronaut.context.BeanContext;
import io.micronaut.context.processor.ExecutableMethodProcessor;
import io.micronaut.core.convert.ConversionService;
import io.micronaut.core.propagation.PropagatedContext;
import io.micronaut.inject.BeanDefinition;
import io.micronaut.inject.ExecutableMethod;
import jakarta.inject.Singleton;
import org.jspecify.annotations.Nullable;

/** The {@link Reloads} methods by operation, collected while the context starts. */
@Singleton
final class Reloaders implements ExecutableMethodProcessor<Reloads> {

    private final BeanMethods methods;

    Reloaders(BeanContext context, ConversionService conversion) {
        this.methods = new BeanMethods(context, conversion, Reloads.class);
    }

    @Override
    public void process(BeanDefinition<?> beanDefinition, ExecutableMethod<?, ?> method) {
        methods.add(beanDefinition, method);
    }

    Invocation.@Nullable Reloader of(
            BoundOperation bound, MethodInvocationContext<Object, Object> call, PropagatedContext around) {
        String operation = bound.operation().name();
        return methods.has(operation) ? none -> methods.ask(operation, call, around.plus(none)) : null;
    }
}
