package io.idempotency.test;

import io.micronaut.test.support.TestPropertyProvider;
import io.micronaut.test.support.TestPropertyProviderFactory;
import java.util.Map;
import org.junit.platform.commons.support.AnnotationSupport;

/** Enables the kit's beans in the contexts of annotated test classes. Loaded as a service. */
public final class TestKitProperties implements TestPropertyProviderFactory {

    static final String ENABLED = "idempotency.test.enabled";

    @Override
    public TestPropertyProvider create(Map<String, Object> available, Class<?> testClass) {
        boolean annotated = annotated(testClass);
        return () -> annotated ? Map.of(ENABLED, "true") : Map.of();
    }

    private static boolean annotated(Class<?> testClass) {
        Class<?> enclosing = testClass.getEnclosingClass();
        return AnnotationSupport.isAnnotated(testClass, IdempotencyTest.class)
                || enclosing != null && annotated(enclosing);
    }
}
