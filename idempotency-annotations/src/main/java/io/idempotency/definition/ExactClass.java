package io.idempotency.definition;

import io.micronaut.aop.Intercepted;
import io.micronaut.aop.InterceptedProxy;
import java.lang.reflect.Method;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Refuses values of subclasses, which may hold more than the generated code for the declared class reads. Proxies of
 * Micronaut and of Hibernate carry no state of their own: what they stand for is read.
 */
public final class ExactClass {

    private static final String HIBERNATE = "org.hibernate.proxy.HibernateProxy";

    private ExactClass() {}

    /**
     * Returns the value, or what a proxy stands for, if it is of exactly the class that the code was generated for.
     *
     * @throws IllegalArgumentException when the value is of another class; the body does not run then
     */
    public static <T> T of(T value, Class<?> declared) {
        return value.getClass() == declared ? value : proxied(value, declared);
    }

    @SuppressWarnings("unchecked")
    private static <T> T proxied(T value, Class<?> declared) {
        if (value instanceof InterceptedProxy<?> proxy) {
            return of((T) proxy.interceptedTarget(), declared);
        }
        if (value instanceof Intercepted && value.getClass().getSuperclass() == declared) {
            return value;
        }
        Optional<Class<?>> hibernate = hibernateProxy(value.getClass());
        if (hibernate.isPresent()) {
            return of((T) implementation(hibernate.get(), value), declared);
        }
        throw new IllegalArgumentException("A " + value.getClass().getName() + " was given where " + declared.getName()
                + " is declared, and what a subclass adds would not be compared. The body did not run. Make "
                + declared.getName() + " sealed, or name its subclasses in @JsonSubTypes, so that each is compared by"
                + " its own properties; or pass a value of the declared class.");
    }

    private static Optional<Class<?>> hibernateProxy(Class<?> type) {
        return Stream.of(type.getInterfaces())
                .filter(each -> each.getName().equals(HIBERNATE))
                .findFirst();
    }

    /** Asks by reflection, since an application need not have Hibernate. */
    private static Object implementation(Class<?> proxy, Object value) {
        try {
            Method initializer = proxy.getMethod("getHibernateLazyInitializer");
            return initializer.getReturnType().getMethod("getImplementation").invoke(initializer.invoke(value));
        } catch (ReflectiveOperationException e) {
            throw new IllegalArgumentException(
                    "The entity behind " + value.getClass().getName() + " could not be read for the arguments'"
                            + " fingerprint (" + (e.getCause() == null ? e : e.getCause()) + "). The body did not run."
                            + " Load the entity before the call.",
                    e);
        }
    }
}
