package io.idempotency.runtime.intercept;

import io.idempotency.OnAbandoned;
import io.idempotency.Reconciles;
import io.idempotency.Reconciliation;
import io.idempotency.runtime.Invocation;
import io.micronaut.aop.MethodInvocationContext;
import io.micronaut.context.BeanContext;
import io.micronaut.context.exceptions.ConfigurationException;
import io.micronaut.context.processor.ExecutableMethodProcessor;
import io.micronaut.core.convert.ConversionService;
import io.micronaut.core.propagation.PropagatedContext;
import io.micronaut.inject.BeanDefinition;
import io.micronaut.inject.ExecutableMethod;
import jakarta.inject.Singleton;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;

/** The {@link Reconciles} methods by operation, collected while the context starts. */
@Singleton
final class Reconcilers implements ExecutableMethodProcessor<Reconciles> {

    private final BeanContext context;
    private final ConversionService conversion;
    private final Map<String, Method> methods = new ConcurrentHashMap<>();

    Reconcilers(BeanContext context, ConversionService conversion) {
        this.context = context;
        this.conversion = conversion;
    }

    /** A bean and its method, called without reflection. */
    private record Method(BeanDefinition<?> bean, ExecutableMethod<Object, Object> method) {}

    @Override
    @SuppressWarnings("unchecked") // the method is invoked on a bean of its own definition
    public void process(BeanDefinition<?> beanDefinition, ExecutableMethod<?, ?> method) {
        String operation = method.stringValue(Reconciles.class).orElse("");
        Method known =
                methods.putIfAbsent(operation, new Method(beanDefinition, (ExecutableMethod<Object, Object>) method));
        if (known != null && !known.method().getDescription(false).equals(method.getDescription(false))) {
            throw new ConfigurationException("Operation '" + operation + "' has two @Reconciles methods: "
                    + known.method().getDescription(false) + " and " + method.getDescription(false) + ". Keep one.");
        }
    }

    boolean has(String operation) {
        return methods.containsKey(operation);
    }

    Invocation.@Nullable Reconciler of(
            BoundOperation bound, MethodInvocationContext<Object, Object> call, PropagatedContext caller) {
        Method method = bound.operation().policy().onAbandoned() == OnAbandoned.RECONCILE
                ? methods.get(bound.operation().name())
                : null;
        if (method == null) {
            return null;
        }
        return claim -> {
            Object bean = context.getBean(method.bean());
            PropagatedContext with = caller.plus(claim);
            try (PropagatedContext.Scope ignored = with.propagate()) {
                return stage(method.method().invoke(bean, arguments(call)), with);
            }
        };
    }

    /** A suspend function's continuation is not one of its arguments. */
    private static @Nullable Object[] arguments(MethodInvocationContext<Object, Object> call) {
        @Nullable Object[] values = call.getParameterValues();
        return call.isSuspend() ? Arrays.copyOf(values, values.length - 1) : values;
    }

    /** What does not fit fails the stage: the outcome stays unknown. */
    private CompletionStage<? extends Reconciliation<?>> stage(@Nullable Object answer, PropagatedContext with) {
        if (answer == null || answer instanceof Reconciliation<?>) {
            return CompletableFuture.completedFuture((Reconciliation<?>) answer);
        }
        CompletionStage<?> later = answer instanceof CompletionStage<?> stage
                ? stage
                : ReactiveCall.started(with, conversion.convertRequired(answer, Publisher.class));
        return later.thenApply(found -> (Reconciliation<?>) found);
    }
}
