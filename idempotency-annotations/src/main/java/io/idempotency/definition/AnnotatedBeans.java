package io.idempotency.definition;

import io.idempotency.IdempotentOperation;
import io.idempotency.SendsIdempotencyKey;
import io.micronaut.aop.Interceptor;
import io.micronaut.aop.InterceptorBinding;
import io.micronaut.context.BeanContext;
import io.micronaut.context.event.ApplicationEventListener;
import io.micronaut.context.event.StartupEvent;
import io.micronaut.context.exceptions.BeanContextException;
import io.micronaut.context.exceptions.ConfigurationException;
import io.micronaut.core.annotation.Internal;
import io.micronaut.inject.AdvisedBeanType;
import io.micronaut.inject.BeanDefinition;
import io.micronaut.inject.BeanDefinitionReference;
import io.micronaut.inject.ExecutableMethod;
import io.micronaut.inject.ProxyBeanDefinition;
import jakarta.inject.Singleton;
import java.lang.annotation.Annotation;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The application's beans with annotated methods, lazy ones and those of other modules included. Micronaut's own processing at
 * start-up leaves out beans whose class carries other advice. Stops the start where no interceptor serves an annotation.
 */
@Internal
@Singleton
public final class AnnotatedBeans implements ApplicationEventListener<StartupEvent> {

    private static final String DEPENDENCY = "Add the dependency io.idempotency:%s:" + LibraryVersion.CURRENT
            + " (Maven: <dependency>; Gradle: implementation)";

    private final BeanContext context;
    private final List<BeanDefinition<?>> beans;

    AnnotatedBeans(BeanContext context) {
        this.context = context;
        beans = context.getBeanDefinitionReferences().stream()
                .filter(reference -> !reference.getBeanDefinitionName().startsWith("io.micronaut."))
                .<BeanDefinition<?>>flatMap(reference -> load(context, reference).stream())
                .toList();
    }

    @Override
    public void onApplicationEvent(StartupEvent event) {
        Set<String> hidden = named(bean -> AnnotatedClass.isOfKotlin(bean.getBeanType()));
        hidden.removeIf(name -> name.indexOf('-') < 0); // the byte code's pay-8lB9wKc stands for pay(a value class)
        require(
                hidden,
                "kapt leaves functions that take or return a value class out of what annotation processors see, and nothing"
                        + " would protect",
                "Take what the value class holds, or make it an ordinary class (data class instead of value class).");
        Set<String> operations = notIntercepted(IdempotentOperation.class);
        operations.addAll(isIntercepted(IdempotentOperation.class) ? Set.of() : unadvised());
        require(
                operations,
                "idempotency-runtime is not on the class path, and nothing would protect",
                DEPENDENCY.formatted("idempotency-runtime") + ", or a store's module, which brings it along.");
        require(
                notIntercepted(SendsIdempotencyKey.class),
                "idempotency-http-client or micronaut-http-client is not on the class path, and no key would be sent by",
                DEPENDENCY.formatted("idempotency-http-client")
                        + ", and io.micronaut:micronaut-http-client beside it.");
    }

    private Set<String> notIntercepted(Class<? extends Annotation> annotation) {
        return (isIntercepted(annotation) ? Stream.<ExecutableMethod<?, ?>>of() : methods(annotation).stream())
                .map(method -> method.getDeclaringType().getName() + "." + method.getMethodName())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private boolean isIntercepted(Class<? extends Annotation> annotation) {
        return context.getBeanDefinitions(Interceptor.class).stream()
                .flatMap(interceptor -> interceptor.getAnnotationValuesByType(InterceptorBinding.class).stream())
                .anyMatch(binding ->
                        annotation.getName().equals(binding.stringValue().orElse("")));
    }

    private static void require(Set<String> methods, String what, String remedy) {
        if (!methods.isEmpty()) {
            throw new ConfigurationException(
                    what + " these annotated methods: " + methods + ". The application does not start. " + remedy);
        }
    }

    /** Leaves out what cannot be loaded: it is no bean that an application could call. */
    private static Optional<BeanDefinition<?>> load(BeanContext context, BeanDefinitionReference<?> reference) {
        try {
            return reference.isPresent() && reference.isEnabled(context)
                    ? Optional.<BeanDefinition<?>>of(reference.load(context)).filter(it -> it.isEnabled(context))
                    : Optional.empty();
        } catch (LinkageError | BeanContextException e) {
            return Optional.empty();
        }
    }

    /** The types by which {@code @Bean(typed = …)} has beans of a class looked up; none where it is not written. */
    public Set<Class<?>> exposedTypes(Class<?> beanClass) {
        return beans.stream()
                .filter(bean -> beanClass
                        == (bean instanceof ProxyBeanDefinition<?> proxy ? proxy.getTargetType() : bean.getBeanType()))
                .flatMap(bean -> bean.getExposedTypes().stream())
                .collect(Collectors.toSet());
    }

    /** The annotated methods that Micronaut intercepts, with or without a generated definition. */
    public Set<ExecutableMethod<?, ?>> methods(Class<? extends Annotation> annotation) {
        return beans.stream()
                .filter(AnnotatedBeans::isProxy)
                .<ExecutableMethod<?, ?>>flatMap(bean -> bean.getExecutableMethods().stream())
                .filter(method -> method.hasStereotype(annotation))
                .collect(Collectors.toSet());
    }

    /** The annotated methods, as {@code class.method}, of beans that a factory makes and nothing intercepts. */
    public Set<String> unadvised() {
        Set<Class<?>> advised = beans.stream()
                .filter(ProxyBeanDefinition.class::isInstance)
                .map(bean -> ((ProxyBeanDefinition<?>) bean).getTargetDefinitionType())
                .collect(Collectors.toSet());
        return named(bean -> !isProxy(bean)
                && !advised.contains(bean.getClass())
                && bean.getDeclaringType()
                        .filter(it -> it != bean.getBeanType())
                        .isPresent());
    }

    /** Reads by reflection what Micronaut knows nothing of. A test replaces beans by mocks, which are none of the application's. */
    private Set<String> named(Predicate<BeanDefinition<?>> filter) {
        return beans.stream()
                .filter(filter)
                .filter(bean -> !bean.hasStereotype("io.micronaut.test.annotation.MockBean"))
                .flatMap(bean -> AnnotatedClass.methods(bean.getBeanType()))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static boolean isProxy(BeanDefinition<?> bean) {
        return bean instanceof ProxyBeanDefinition<?> || bean instanceof AdvisedBeanType<?>;
    }
}
