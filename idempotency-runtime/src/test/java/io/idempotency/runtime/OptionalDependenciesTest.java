package io.idempotency.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idempotency.IdempotencyExecutor;
import io.micronaut.context.ApplicationContext;
import java.io.File;
import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An application needs no more on its class path than it uses. */
@Tag("thorough")
class OptionalDependenciesTest {

    private static final Pattern NEVER = Pattern.compile(
            ".*(test-classes|junit|surefire|opentelemetry|micronaut-(tracing|security|multitenancy|problem|openapi|management|validation)).*");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "nothing",
                "micronaut-http",
                "micronaut-http-client",
                "rxjava",
                "micrometer",
                "caffeine|micronaut-cache",
                "micronaut-retry",
                "reactor",
                "kotlin"
            })
    void itStartsAndProtectsWithout(String left) throws Exception {
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        try (URLClassLoader application = without(left)) {
            Thread.currentThread().setContextClassLoader(application);
            Class<?> contexts = application.loadClass(ApplicationContext.class.getName());
            try (AutoCloseable context =
                    (AutoCloseable) contexts.getMethod("run", String[].class).invoke(null, (Object) new String[0])) {
                Class<?> executors = application.loadClass(IdempotencyExecutor.class.getName());
                Object executor = contexts.getMethod("getBean", Class.class).invoke(context, executors);
                assertThat(bodies(executors, executor, application)).isEqualTo(1);
            }
        } finally {
            Thread.currentThread().setContextClassLoader(before);
        }
    }

    @Test
    void whereNothingWritesJsonTheStartSaysWhatToAdd() throws Exception {
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        try (URLClassLoader application = without("micronaut-serde|micronaut-jackson")) {
            Thread.currentThread().setContextClassLoader(application);
            Class<?> contexts = application.loadClass(ApplicationContext.class.getName());
            assertThatThrownBy(() -> contexts.getMethod("run", String[].class).invoke(null, (Object) new String[0]))
                    .hasStackTraceContaining("recorded as JSON, and nothing on the class path writes it")
                    .hasStackTraceContaining("io.micronaut.serde:micronaut-serde-jackson");
        } finally {
            Thread.currentThread().setContextClassLoader(before);
        }
    }

    /** How often two calls of one key run their body. */
    private static int bodies(Class<?> executors, Object executor, ClassLoader application) throws Exception {
        AtomicInteger runs = new AtomicInteger();
        Class<?> type = application.loadClass(IdempotencyExecutor.Body.class.getName());
        InvocationHandler run = (proxy, method, arguments) -> runs.incrementAndGet();
        Object body = Proxy.newProxyInstance(application, new Class<?>[] {type}, run);
        for (int call = 0; call < 2; call++) {
            executors
                    .getMethod("execute", String.class, String.class, Object.class, Class.class, type)
                    .invoke(executor, "import-invoice", "key", null, Integer.class, body);
        }
        return runs.get();
    }

    /** The class path of this test, without its own classes and without what is left out. */
    private static URLClassLoader without(String left) throws IOException {
        Pattern out = Pattern.compile(".*(" + left + ")[^/]*");
        String path = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        URL[] kept = Arrays.stream(path.split(File.pathSeparator))
                .filter(entry -> !NEVER.matcher(entry).matches())
                .filter(entry -> !out.matcher(new File(entry).getName()).matches())
                .map(entry -> url(new File(entry).toURI()))
                .toArray(URL[]::new);
        return new URLClassLoader(kept, ClassLoader.getPlatformClassLoader());
    }

    private static URL url(URI uri) {
        try {
            return uri.toURL();
        } catch (MalformedURLException e) {
            throw new IllegalArgumentException(e);
        }
    }
}
