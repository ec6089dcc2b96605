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
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds the annotated methods of the application's beans; Micronaut's own processing at start-up leaves out beans whose
 * class carries other advice. Stops the start where nothing intercepts them.
 */
@Internal
@Singleton
public final class AnnotatedBeans implements ApplicationEventListener<StartupEvent> {

    private static final String DEPENDENCY = "Add the dependency io.idempotency:%s:" + LibraryVersion.CURRENT
            + " (Maven: <dependency>; Gradle: implementation)";

    private static final Set<Class<?>> SOUGHT = Set.of(IdempotentOperation.class, SendsIdempotencyKey.class);
    private static final List<String> PLATFORM = List.of("java.", "javax.", "jakarta.", "io.micronaut.", "io.netty.");

    /** The names that kapt leaves out, because they are none in Java: redeem-8lB9wKc, of a value class, new, void. */
    private static final Pattern HIDDEN =
            Pattern.compile(".*\\P{javaJavaIdentifierPart}.*|abstract|assert|boolean|break|byte"
                    + "|case|catch|char|class|const|continue|default|do|double|else|enum|extends|final|finally|float|for|goto|if"
                    + "|implements|import|instanceof|int|interface|long|native|new|package|private|protected|public|return|short"
                    + "|static|strictfp|super|switch|synchronized|this|throw|throws|transient|try|void|volatile|while");

    private final BeanContext context;
    private final List<BeanDefinition<?>> beans = new ArrayList<>();

    AnnotatedBeans(BeanContext context) {
        this.context = context;
        for (BeanDefinitionReference<?> reference : context.getBeanDefinitionReferences()) {
            boolean own = !reference.getBeanDefinitionName().startsWith("io.micronaut.");
            try {
                if (own && reference.isPresent() && reference.isEnabled(context)) {
                    Stream.of(reference.load(context))
                            .filter(it -> it.isEnabled(context))
                            .forEach(beans::add);
                }
            } catch (LinkageError | BeanContextException e) {
                // an application cannot call a bean that cannot be loaded
            }
        }
    }

    @Override
    public void onApplicationEvent(StartupEvent event) {
        require(
                unseen(
                        bean -> isOfKotlin(bean.getBeanType()),
                        it -> it instanceof Method method
                                && HIDDEN.matcher(method.getName()).matches()),
                "kapt leaves functions that take or return a value class, or whose name is none in Java, out of what annotation"
                        + " processors see, and nothing would protect",
                "Rename them, take what the value class holds, or make it a data class.");
        Set<String> operations = notIntercepted(IdempotentOperation.class);
        operations.addAll(isIntercepted(IdempotentOperation.class) ? Set.of() : unadvised());
        require(
                operations,
                "idempotency-runtime is not on the class path, and nothing would protect",
                DEPENDENCY.formatted("idempotency-runtime") + ", or a store's module, which brings it along.");
        require(
                notIntercepted(SendsIdempotencyKey.class),
                "idempotency-http-client or micronaut-http-client is not on the class path, and no key would be sent"
                        + " by",
                DEPENDENCY.formatted("idempotency-http-client")
                        + ", and io.micronaut:micronaut-http-client beside it.");
    }

    /** Tells whether Kotlin's compiler wrote the class or one above it: the methods of others need not be read. */
    private static boolean isOfKotlin(@Nullable Class<?> type) {
        return type != null
                && (Stream.of(type.getAnnotations())
                                .anyMatch(it -> it.annotationType().getName().equals("kotlin.Metadata"))
                        || Stream.concat(Stream.ofNullable(type.getSuperclass()), Stream.of(type.getInterfaces()))
                                .anyMatch(AnnotatedBeans::isOfKotlin));
    }

    private Set<String> notIntercepted(Class<? extends Annotation> annotation) {
        return (isIntercepted(annotation) ? Set.<ExecutableMethod<?, ?>>of() : methods(annotation))
                .stream()
                        .map(method -> method.getDeclaringType().getName() + "." + method.getMethodName())
                        .collect(Collectors.toCollection(TreeSet::new));
    }

    private boolean isIntercepted(Class<? extends Annotation> annotation) {
        return context.getBeanDefinitions(Interceptor.class).stream()
                .flatMap(interceptor -> interceptor.getAnnotationValuesByType(InterceptorBinding.class).stream())
                .flatMap(binding -> binding.stringValue().stream())
                .anyMatch(annotation.getName()::equals);
    }

    private static void require(Set<String> methods, String what, String remedy) {
        if (!methods.isEmpty()) {
            throw new ConfigurationException(
                    what + " these annotated methods: " + methods + ". The application does not start. " + remedy);
        }
    }

    /** The types of {@code @Bean(typed = …)} for the beans of a class; empty without it. */
    public Set<Class<?>> exposedTypes(Class<?> beanClass) {
        return beans.stream()
                .filter(bean -> beanClass
                        == (bean instanceof ProxyBeanDefinition<?> proxy ? proxy.getTargetType() : bean.getBeanType()))
                .flatMap(bean -> bean.getExposedTypes().stream())
                .collect(Collectors.toSet());
    }

    /** The annotated methods of beans with a proxy. */
    public Set<ExecutableMethod<?, ?>> methods(Class<? extends Annotation> annotation) {
        return beans.stream()
                .filter(AnnotatedBeans::isProxy)
                .<ExecutableMethod<?, ?>>flatMap(bean -> bean.getExecutableMethods().stream())
                .filter(method -> method.hasStereotype(annotation))
                .collect(Collectors.toSet());
    }

    /** The annotated methods, as {@code class.method}, of a factory's beans without a proxy. */
    public Set<String> unadvised() {
        Set<Class<?>> advised = beans.stream()
                .filter(ProxyBeanDefinition.class::isInstance)
                .map(bean -> ((ProxyBeanDefinition<?>) bean).getTargetDefinitionType())
                .collect(Collectors.toSet());
        return unseen(
                bean -> !isProxy(bean)
                        && !advised.contains(bean.getClass())
                        && bean.getDeclaringType()
                                .filter(it -> it != bean.getBeanType())
                                .isPresent(),
                element -> true);
    }

    /** The annotated elements in the classes of beans, but those of a test's mocks. */
    private Set<String> unseen(Predicate<BeanDefinition<?>> filter, Predicate<AnnotatedElement> sought) {
        return beans.stream()
                .filter(filter)
                .filter(bean -> !bean.hasStereotype("io.micronaut.test.annotation.MockBean"))
                .flatMap(bean -> annotated(bean.getBeanType(), sought))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** The annotated ones of a class, its methods and those above it; reflection finds none in a native image. */
    static Stream<String> annotated(@Nullable Class<?> type, Predicate<AnnotatedElement> sought) {
        if (type == null || PLATFORM.stream().anyMatch(type.getName()::startsWith)) {
            return Stream.of();
        }
        List<AnnotatedElement> elements = new ArrayList<>(List.of(type));
        try {
            elements.addAll(List.of(type.getDeclaredMethods()));
        } catch (LinkageError e) {
            // a method names a class that the application lacks
        }
        Stream<String> own = elements.stream()
                .filter(sought)
                .filter(it -> carries(it, new HashSet<>()))
                .map(it -> type.getName() + (it instanceof Method method ? "." + method.getName() : ""));
        Stream<Class<?>> above =
                Stream.concat(Stream.ofNullable(type.getSuperclass()), Stream.of(type.getInterfaces()));
        return Stream.concat(own, above.flatMap(each -> annotated(each, sought)));
    }

    private static boolean carries(AnnotatedElement element, Set<Class<?>> seen) {
        return Stream.of(element.getAnnotations())
                .map(Annotation::annotationType)
                .anyMatch(type -> SOUGHT.contains(type) || (seen.add(type) && carries(type, seen)));
    }

    private static boolean isProxy(BeanDefinition<?> bean) {
        return bean instanceof ProxyBeanDefinition<?> || bean instanceof AdvisedBeanType<?>;
    }
}
