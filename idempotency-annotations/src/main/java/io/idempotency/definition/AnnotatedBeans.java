package io.idempotency.definition;

import io.idempotency.IdempotentOperation;
import io.idempotency.SendsIdempotencyKey;
import io.micronaut.context.BeanContext;
import io.micronaut.context.exceptions.BeanContextException;
import io.micronaut.core.annotation.Internal;
import io.micronaut.inject.AdvisedBeanType;
import io.micronaut.inject.BeanDefinition;
import io.micronaut.inject.BeanDefinitionReference;
import io.micronaut.inject.ExecutableMethod;
import io.micronaut.inject.ProxyBeanDefinition;
import java.lang.annotation.Annotation;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The application's beans with annotated methods, lazy ones and those of other modules included. Micronaut's own
 * processing at start-up is not enough: it leaves out beans whose class carries other advice. The methods of an
 * intercepted bean that a factory makes are not found here; they are checked when they are called.
 */
@Internal
public final class AnnotatedBeans {

    private static final List<Class<? extends Annotation>> ANNOTATIONS =
            List.of(IdempotentOperation.class, SendsIdempotencyKey.class);

    /** A test says itself that this bean is none of the application's. */
    private static final String MOCK = "io.micronaut.test.annotation.MockBean";

    private AnnotatedBeans() {}

    /**
     * The annotated methods that Micronaut intercepts.
     *
     * @param context has started
     * @param annotation one of this library's
     * @return methods with or without a generated definition
     */
    public static Set<ExecutableMethod<?, ?>> methods(BeanContext context, Class<? extends Annotation> annotation) {
        return definitions(context)
                .filter(AnnotatedBeans::isProxy)
                .<ExecutableMethod<?, ?>>flatMap(bean -> bean.getExecutableMethods().stream())
                .filter(method -> method.hasStereotype(annotation))
                .collect(Collectors.toSet());
    }

    /**
     * Micronaut's own definitions are left alone: they are many, have no annotated methods, and some cannot be loaded
     * where a library that they are for is missing. What cannot be loaded is no bean that anybody could call.
     */
    private static Stream<BeanDefinition<?>> definitions(BeanContext context) {
        return context.getBeanDefinitionReferences().stream()
                .filter(reference -> !reference.getBeanDefinitionName().startsWith("io.micronaut."))
                .flatMap(reference -> load(context, reference).stream());
    }

    private static Optional<BeanDefinition<?>> load(BeanContext context, BeanDefinitionReference<?> reference) {
        try {
            if (!reference.isPresent() || !reference.isEnabled(context)) {
                return Optional.empty();
            }
            BeanDefinition<?> definition = reference.load(context);
            return definition.isEnabled(context) ? Optional.of(definition) : Optional.empty();
        } catch (LinkageError | BeanContextException e) {
            return Optional.empty();
        }
    }

    private static boolean isProxy(BeanDefinition<?> bean) {
        return bean instanceof ProxyBeanDefinition<?> || bean instanceof AdvisedBeanType<?>;
    }

    /**
     * The annotated methods of beans that a factory makes and nothing intercepts. Micronaut knows nothing of the methods
     * of such a bean, so its class is asked.
     *
     * @param context has started
     * @return {@code class.method}, in no particular order
     */
    public static Set<String> unadvised(BeanContext context) {
        List<BeanDefinition<?>> all = definitions(context).collect(Collectors.toList());
        Set<Class<?>> advised = all.stream()
                .filter(ProxyBeanDefinition.class::isInstance)
                .map(bean -> ((ProxyBeanDefinition<?>) bean).getTargetDefinitionType())
                .collect(Collectors.toSet());
        return all.stream()
                .filter(bean -> isProduct(bean) && !isProxy(bean) && !advised.contains(bean.getClass()))
                .flatMap(bean -> AnnotatedClass.methods(bean.getBeanType(), ANNOTATIONS).stream())
                .collect(Collectors.toSet());
    }

    private static boolean isProduct(BeanDefinition<?> bean) {
        return bean.getDeclaringType()
                        .filter(factory -> factory != bean.getBeanType())
                        .isPresent()
                && !bean.hasStereotype(MOCK);
    }
}
