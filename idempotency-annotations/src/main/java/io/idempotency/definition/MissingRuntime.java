package io.idempotency.definition;

import io.idempotency.IdempotentOperation;
import io.idempotency.SendsIdempotencyKey;
import io.micronaut.aop.Interceptor;
import io.micronaut.aop.InterceptorBinding;
import io.micronaut.context.BeanContext;
import io.micronaut.context.event.ApplicationEventListener;
import io.micronaut.context.event.StartupEvent;
import io.micronaut.context.exceptions.ConfigurationException;
import io.micronaut.inject.ExecutableMethod;
import jakarta.inject.Singleton;
import java.lang.annotation.Annotation;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Stops an application that has annotated methods and no interceptor for them: Micronaut would call them as they are. */
@Singleton
final class MissingRuntime implements ApplicationEventListener<StartupEvent> {

    private static final String RUNTIME =
            "Add the dependency io.idempotency:idempotency-runtime:" + LibraryVersion.CURRENT
                    + " (Maven: <dependency>; Gradle: implementation), or a store's module, which brings it along.";

    private static final String CLIENT =
            "Add the dependencies io.idempotency:idempotency-http-client:" + LibraryVersion.CURRENT
                    + " and io.micronaut:micronaut-http-client (Maven: <dependency>; Gradle: implementation).";

    private static final String VALUE_CLASS =
            "Take what the value class holds, or make it an ordinary class (data class instead of value class).";

    private final BeanContext context;

    MissingRuntime(BeanContext context) {
        this.context = context;
    }

    @Override
    public void onApplicationEvent(StartupEvent event) {
        AnnotatedBeans beans = context.getBean(AnnotatedBeans.class);
        require(
                new TreeSet<>(beans.leftOut()),
                "kapt leaves functions that take or return a value class out of what annotation processors see, and nothing"
                        + " would protect",
                VALUE_CLASS);
        if (!isIntercepted(IdempotentOperation.class)) {
            Set<String> methods = names(beans, IdempotentOperation.class);
            methods.addAll(beans.unadvised());
            require(methods, "idempotency-runtime is not on the class path, and nothing would protect", RUNTIME);
        }
        if (!isIntercepted(SendsIdempotencyKey.class)) {
            require(
                    names(beans, SendsIdempotencyKey.class),
                    "idempotency-http-client or micronaut-http-client is not on the class path, and no key would be sent by",
                    CLIENT);
        }
    }

    private boolean isIntercepted(Class<? extends Annotation> annotation) {
        return context.getBeanDefinitions(Interceptor.class).stream()
                .flatMap(interceptor -> interceptor.getAnnotationValuesByType(InterceptorBinding.class).stream())
                .anyMatch(binding -> binding.stringValue()
                        .filter(annotation.getName()::equals)
                        .isPresent());
    }

    private static Set<String> names(AnnotatedBeans beans, Class<? extends Annotation> annotation) {
        return beans.methods(annotation).stream()
                .map(MissingRuntime::name)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static String name(ExecutableMethod<?, ?> method) {
        return method.getDeclaringType().getName() + "." + method.getMethodName();
    }

    private static void require(Set<String> methods, String what, String remedy) {
        if (!methods.isEmpty()) {
            throw new ConfigurationException(
                    what + " these annotated methods: " + methods + ". The application does not start. " + remedy);
        }
    }
}
