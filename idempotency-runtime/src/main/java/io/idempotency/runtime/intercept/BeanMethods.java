package io.idempotency.runtime.intercept;

import io.micronaut.aop.MethodInvocationContext;
import io.micronaut.context.BeanContext;
import io.micronaut.context.exceptions.ConfigurationException;
import io.micronaut.core.convert.ConversionService;
import io.micronaut.core.propagation.PropagatedContext;
import io.micronaut.core.type.Argument;
import io.micronaut.inject.BeanDefinition;
import io.micronaut.inject.ExecutableMethod;
import java.lang.annotation.Annotation;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;

/** The application's methods that answer for an operation, at most one for each, called without reflection. */
final class BeanMethods {

    private final BeanContext context;
    private final ConversionService conversion;
    private final Class<? extends Annotation> annotation;
    private final Map<String, Found> methods = new ConcurrentHashMap<>();

    BeanMethods(BeanContext context, ConversionService conversion, Class<? extends Annotation> annotation) {
        this.context = context;
        this.conversion = conversion;
        this.annotation = annotation;
    }

    private record Found(BeanDefinition<?> bean, ExecutableMethod<Object, Object> method) {}

    @SuppressWarnings("unchecked") // the method is invoked on a bean of its own definition
    void add(BeanDefinition<?> bean, ExecutableMethod<?, ?> method) {
        String operation = method.stringValue(annotation).orElse("");
        Found known = methods.putIfAbsent(operation, new Found(bean, (ExecutableMethod<Object, Object>) method));
        if (known != null && !known.method().getDescription(false).equals(method.getDescription(false))) {
            throw new ConfigurationException("Operation '" + operation + "' has two @" + annotation.getSimpleName()
                    + " methods: " + known.method().getDescription(false) + " and " + method.getDescription(false)
                    + ". Keep one.");
        }
    }

    boolean has(String operation) {
        return methods.containsKey(operation);
    }

    /** Calls the operation's method with the arguments of a call of the operation. */
    CompletionStage<? extends @Nullable Object> ask(
            String operation, MethodInvocationContext<Object, Object> call, PropagatedContext with) {
        Found found = methods.get(operation);
        if (found == null) {
            throw new IllegalStateException("No @" + annotation.getSimpleName() + " method for " + operation);
        }
        Object bean = context.getBean(found.bean());
        try (PropagatedContext.Scope ignored = with.propagate()) {
            return stage(found.method().invoke(bean, arguments(call)), with);
        }
    }

    /** A suspend function's continuation is not one of its arguments. */
    private static @Nullable Object[] arguments(MethodInvocationContext<Object, Object> call) {
        @Nullable Object[] values = call.getParameterValues();
        return call.isSuspend() ? Arrays.copyOf(values, values.length - 1) : values;
    }

    private CompletionStage<? extends @Nullable Object> stage(@Nullable Object answer, PropagatedContext with) {
        if (answer instanceof CompletionStage<?> stage) {
            return stage;
        }
        return answer != null && Argument.of(answer.getClass()).isReactive()
                ? ReactiveCall.started(with, conversion.convertRequired(answer, Publisher.class))
                : CompletableFuture.completedFuture(answer);
    }
}
