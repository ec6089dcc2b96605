package io.idempotency.runtime.intercept;

import io.idempotency.OnAbandoned;
import io.idempotency.Reconciles;
import io.idempotency.Reconciliation;
import io.idempotency.runtime.Invocation;
import io.micronaut.aop.MethodInvocationContext;
import io.micronaut.context.BeanContext;
import io.micronaut.context.exceptions.ConfigurationException;
import io.micronaut.context.processor.ExecutableMethodProcessor;
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

/** The {@link Reconciles} methods by operation, collected while the context starts. */
@Singleton
final class Reconcilers implements ExecutableMethodProcessor<Reconciles> {

    private final BeanContext context;
    private final Map<String, Method> methods = new ConcurrentHashMap<>();

    Reconcilers(BeanContext context) {
        this.context = context;
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
            try (PropagatedContext.Scope ignored = caller.plus(claim).propagate()) {
                return stage(method.method().invoke(bean, arguments(call)));
            }
        };
    }

    /** A suspend function's continuation is not one of its arguments. */
    private static @Nullable Object[] arguments(MethodInvocationContext<Object, Object> call) {
        @Nullable Object[] values = call.getParameterValues();
        return call.isSuspend() ? Arrays.copyOf(values, values.length - 1) : values;
    }

    @SuppressWarnings("unchecked") // the processor checks the method's return type
    private static CompletionStage<Reconciliation<?>> stage(Object answer) {
        return answer instanceof CompletionStage<?> stage
                ? (CompletionStage<Reconciliation<?>>) stage
                : CompletableFuture.completedFuture((Reconciliation<?>) answer);
    }
}
