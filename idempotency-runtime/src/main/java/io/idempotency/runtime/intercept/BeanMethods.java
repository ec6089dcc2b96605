package io.idempotency.runtime.intercept;

import io.idempotency.OnAbandoned;
import io.idempotency.Reconciles;
import io.idempotency.Reconciliation;
import io.idempotency.Reloads;
import io.idempotency.runtime.call.Invocation;
import io.idempotency.runtime.config.OperationBinder.Bound;
import io.micronaut.aop.MethodInvocationContext;
import io.micronaut.context.BeanContext;
import io.micronaut.context.exceptions.ConfigurationException;
import io.micronaut.context.processor.ExecutableMethodProcessor;
import io.micronaut.core.convert.ConversionService;
import io.micronaut.core.propagation.PropagatedContext;
import io.micronaut.core.type.Argument;
import io.micronaut.inject.BeanDefinition;
import io.micronaut.inject.ExecutableMethod;
import jakarta.inject.Singleton;
import java.lang.annotation.Annotation;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;

/**
 * The application's methods with an annotation that names an operation, at most one for each operation. Collected while
 * the context starts, and called without reflection.
 */
abstract class BeanMethods<A extends Annotation> implements ExecutableMethodProcessor<A> {

    private final BeanContext context;
    private final ConversionService conversion;
    private final Class<A> annotation;
    private final Map<String, Found> methods = new ConcurrentHashMap<>();

    private BeanMethods(BeanContext context, ConversionService conversion, Class<A> annotation) {
        this.context = context;
        this.conversion = conversion;
        this.annotation = annotation;
    }

    record Found(BeanDefinition<?> bean, ExecutableMethod<Object, Object> method) {

        /** Returns the bean's class and the method; a class may have several beans. */
        private String origin() {
            return Operations.classOf(bean).getName() + ": " + method.getDescription(false);
        }
    }

    /** The {@link Reconciles} methods. */
    @Singleton
    static final class Reconcilers extends BeanMethods<Reconciles> {

        Reconcilers(BeanContext context, ConversionService conversion) {
            super(context, conversion, Reconciles.class);
        }

        /** Returns null without such a method. A result of another type fails the stage: the outcome stays unknown. */
        Invocation.@Nullable Reconciler of(
                Bound bound, MethodInvocationContext<Object, Object> call, PropagatedContext around) {
            Found method = found(bound);
            return bound.operation().policy().onAbandoned() == OnAbandoned.RECONCILE && method != null
                    ? claim -> ask(method, call, around.plus(claim)).thenApply(found -> (Reconciliation<?>) found)
                    : null;
        }
    }

    /** The {@link Reloads} methods. */
    @Singleton
    static final class Reloaders extends BeanMethods<Reloads> {

        Reloaders(BeanContext context, ConversionService conversion) {
            super(context, conversion, Reloads.class);
        }

        Invocation.@Nullable Reloader of(
                Bound bound, MethodInvocationContext<Object, Object> call, PropagatedContext around) {
            Found method = found(bound);
            return method == null ? null : none -> ask(method, call, around.plus(none));
        }
    }

    @Override
    @SuppressWarnings("unchecked") // the method is invoked on a bean of its own definition
    public void process(BeanDefinition<?> bean, ExecutableMethod<?, ?> method) {
        String operation = method.stringValue(annotation).orElse("");
        if (Operations.isReplaced(context, Operations.classOf(bean))) {
            return;
        }
        Found found = new Found(bean, (ExecutableMethod<Object, Object>) method);
        Found known = methods.putIfAbsent(operation, found);
        if (known != null && !known.origin().equals(found.origin())) {
            throw new ConfigurationException("Operation '" + operation + "' has two @" + annotation.getSimpleName()
                    + " methods: " + known.origin() + " and " + found.origin() + ". Keep one.");
        }
    }

    final boolean has(String operation) {
        return methods.containsKey(operation);
    }

    final @Nullable Found found(Bound bound) {
        return methods.get(bound.operation().name());
    }

    /** Calls the method with the arguments of a call of its operation. */
    final CompletionStage<? extends @Nullable Object> ask(
            Found found, MethodInvocationContext<Object, Object> call, PropagatedContext with) {
        @Nullable Object[] arguments = call.getParameterValues();
        int count = call.isSuspend() ? arguments.length - 1 : arguments.length; // a continuation is not an argument
        Object bean = context.getBean(found.bean());
        try (PropagatedContext.Scope ignored = with.propagate()) {
            return stage(found.method().invoke(bean, Arrays.copyOf(arguments, count)), with);
        }
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
