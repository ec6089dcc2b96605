package io.idempotency.processor;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.processor.compile.Compilation;
import io.idempotency.processor.compile.Compiled;
import io.micronaut.context.ApplicationContext;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Runs compiled beans with an interceptor in place of the run time's, which says what it was called with. */
class BindingTest {

    private static final String INTERCEPTOR = """
            package demo;
            import io.idempotency.definition.*;
            import io.micronaut.aop.*;
            import io.micronaut.core.annotation.AnnotationClassValue;
            @InterceptorBean(IdempotentAdvice.class)
            public class Recorder implements MethodInterceptor<Object, Object> {
                @Override public Object intercept(MethodInvocationContext<Object, Object> context) {
                    OperationDefinition definition = (OperationDefinition) context.getAnnotation(IdempotentAdvice.class)
                            .annotationClassValue("definition").flatMap(AnnotationClassValue::getInstance).orElseThrow();
                    return definition.name() + " " + definition.key(context.getParameterValues());
                }
            }
            """;

    @Test
    void theInterceptorGetsTheDefinitionOfTheMethodThatIsCalled() {
        assertThat(call("Payments", "pay", "o-1", """
                package demo;
                import io.idempotency.*;
                @jakarta.inject.Singleton
                public class Payments {
                    @IdempotentOperation(value = "pay", key = "id")
                    public String pay(String id) { return "ran unprotected"; }
                    public String other(String id) { return "not intercepted"; }
                }
                """)).isEqualTo("pay o-1");
    }

    private static Object call(String bean, String method, String argument, String... sources) {
        List<String> all = new ArrayList<>(List.of(sources));
        all.add(INTERCEPTOR);
        Compiled compiled = Compilation.of(all.toArray(String[]::new)).load();
        try (ApplicationContext context =
                ApplicationContext.builder(compiled.loader()).start()) {
            Class<?> type = compiled.type("demo." + bean);
            return type.getMethod(method, String.class).invoke(context.getBean(type), argument);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }
}
