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
import jakarta.inject.Singleton;
import java.lang.annotation.Annotation;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The application's beans with annotated methods, lazy ones and those of other modules included, read once while the
 * application starts. Micronaut's own processing at start-up is not enough: it leaves out beans whose class carries other
 * advice. The methods of an intercepted bean that a factory makes are not found here; they are checked when they are called.
 */
@Internal
@Singleton
public final class AnnotatedBeans {

    private static final List<Class<? extends Annotation>> ANNOTATIONS =
            List.of(IdempotentOperation.class, SendsIdempotencyKey.class);

    /** A test says itself that this bean is none of the application's. */
    private static final String MOCK = "io.micronaut.test.annotation.MockBean";

    private final Set<ExecutableMethod<?, ?>> methods;
    private final Set<String> unadvised;
    private final Set<String> leftOut;
    private final Map<Class<?>, Set<Class<?>>> exposed;

    AnnotatedBeans(BeanContext context) {
        List<BeanDefinition<?>> all = definitions(context).toList();
        methods = all.stream()
                .filter(AnnotatedBeans::isProxy)
                .<ExecutableMethod<?, ?>>flatMap(bean -> bean.getExecutableMethods().stream())
                .filter(method -> ANNOTATIONS.stream().anyMatch(method::hasStereotype))
                .collect(Collectors.toUnmodifiableSet());
        unadvised = unadvised(all);
        leftOut = all.stream()
                .filter(bean -> !bean.hasStereotype(MOCK))
                .flatMap(bean -> AnnotatedClass.valueClassFunctions(bean.getBeanType(), ANNOTATIONS).stream())
                .collect(Collectors.toUnmodifiableSet());
        exposed = all.stream()
                .filter(bean -> !bean.getExposedTypes().isEmpty())
                .collect(Collectors.toUnmodifiableMap(
                        bean -> bean instanceof ProxyBeanDefinition<?> proxy
                                ? proxy.getTargetType()
                                : bean.getBeanType(),
                        BeanDefinition::getExposedTypes,
                        (one, other) ->
                                Stream.concat(one.stream(), other.stream()).collect(Collectors.toUnmodifiableSet())));
    }

    /**
     * The types that beans of a class are looked up by where {@code @Bean(typed = …)} names them.
     *
     * @param beanClass the class
     * @return empty where they are looked up by whatever they are
     */
    public Set<Class<?>> exposedTypes(Class<?> beanClass) {
        return exposed.getOrDefault(beanClass, Set.of());
    }

    /**
     * The annotated methods that Micronaut intercepts.
     *
     * @param annotation one of this library's
     * @return methods with or without a generated definition
     */
    public Set<ExecutableMethod<?, ?>> methods(Class<? extends Annotation> annotation) {
        return methods.stream()
                .filter(method -> method.hasStereotype(annotation))
                .collect(Collectors.toSet());
    }

    /**
     * The annotated methods of beans that a factory makes and nothing intercepts. Micronaut knows nothing of the methods
     * of such a bean, so its class is asked.
     *
     * @return {@code class.method}, in no particular order
     */
    public Set<String> unadvised() {
        return unadvised;
    }

    /**
     * The annotated functions of Kotlin that no annotation processor has seen, because they take or return a value class.
     *
     * @return {@code class.function-hash}, in no particular order
     */
    Set<String> leftOut() {
        return leftOut;
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

    private static Set<String> unadvised(List<BeanDefinition<?>> all) {
        Set<Class<?>> advised = all.stream()
                .filter(ProxyBeanDefinition.class::isInstance)
                .map(bean -> ((ProxyBeanDefinition<?>) bean).getTargetDefinitionType())
                .collect(Collectors.toSet());
        return all.stream()
                .filter(bean -> isProduct(bean) && !isProxy(bean) && !advised.contains(bean.getClass()))
                .flatMap(bean -> AnnotatedClass.methods(bean.getBeanType(), ANNOTATIONS).stream())
                .collect(Collectors.toUnmodifiableSet());
    }

    private static boolean isProduct(BeanDefinition<?> bean) {
        return bean.getDeclaringType()
                        .filter(factory -> factory != bean.getBeanType())
                        .isPresent()
                && !bean.hasStereotype(MOCK);
    }
}
