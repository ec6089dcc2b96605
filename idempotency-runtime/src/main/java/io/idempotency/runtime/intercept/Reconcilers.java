package io.idempotency.runtime.intercept;

import io.idempotency.OnAbandoned;
import io.idempotency.Reconciles;
import io.idempotency.Reconciliation;
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

/** The {@link Reconciles} methods by operation, collected while the context starts. */
@Singleton
final class Reconcilers implements ExecutableMethodProcessor<Reconciles> {

    private final BeanMethods methods;

    Reconcilers(BeanContext context, ConversionService conversion) {
        this.methods = new BeanMethods(context, conversion, Reconciles.class);
    }

    @Override
    public void process(BeanDefinition<?> beanDefinition, ExecutableMethod<?, ?> method) {
        methods.add(beanDefinition, method);
    }

    boolean has(String operation) {
        return methods.has(operation);
    }

    /** What does not fit fails the stage: the outcome stays unknown. */
    Invocation.@Nullable Reconciler of(
            BoundOperation bound, MethodInvocationContext<Object, Object> call, PropagatedContext around) {
        String operation = bound.operation().name();
        return bound.operation().policy().onAbandoned() == OnAbandoned.RECONCILE && has(operation)
                ? claim ->
                        methods.ask(operation, call, around.plus(claim)).thenApply(found -> (Reconciliation<?>) found)
                : null;
    }
}
