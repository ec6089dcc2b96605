package io.idempotency.processor.compile;

import io.micronaut.context.ApplicationContext;

/** Runs compiled beans with an interceptor in place of the run time's, which says what it was called with. */
public final class Recorder {

    /** The interceptor, to be compiled with the beans. */
    public static final String SOURCE = """
            package demo;
            import io.idempotency.definition.*;
            import io.micronaut.aop.*;
            import io.micronaut.core.annotation.AnnotationClassValue;
            @InterceptorBean(io.idempotency.IdempotentOperation.class)
            public class Recorder implements MethodInterceptor<Object, Object> {
                @Override public Object intercept(MethodInvocationContext<Object, Object> context) {
                    OperationDefinition definition = (OperationDefinition) context.getAnnotation(IdempotentAdvice.class)
                            .annotationClassValue("definition").flatMap(AnnotationClassValue::getInstance).orElseThrow();
                    return definition.name() + " " + definition.key(context.getParameterValues());
                }
            }
            """;

    private Recorder() {}

    /** What a method of a bean in the package {@code demo} returns, or what the interceptor says. */
    public static Object call(Compiled compiled, String bean, String method, String argument) {
        try (ApplicationContext context =
                ApplicationContext.builder(compiled.loader()).start()) {
            Class<?> type = compiled.type("demo." + bean);
            return type.getMethod(method, String.class).invoke(context.getBean(type), argument);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }
}
