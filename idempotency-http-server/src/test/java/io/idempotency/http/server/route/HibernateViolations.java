package io.idempotency.http.server.route;

import jakarta.validation.ConstraintViolation;
import jakarta.validation.ConstraintViolationException;
import jakarta.validation.ElementKind;
import jakarta.validation.Path;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Violations in the form of Hibernate Validator, whose nodes implement the interface of every kind of node and throw where
 * they are asked for what is another kind's.
 */
final class HibernateViolations {

    private static final Class<?>[] EVERY_KIND = {
        Path.MethodNode.class,
        Path.ConstructorNode.class,
        Path.BeanNode.class,
        Path.ParameterNode.class,
        Path.CrossParameterNode.class,
        Path.ReturnValueNode.class,
        Path.PropertyNode.class,
        Path.ContainerElementNode.class
    };

    private HibernateViolations() {}

    /** Returns what is thrown where the result of a bean's method is not valid. */
    static ConstraintViolationException ofResult(Object bean, String method, Class<?>... parameters) {
        Object called = made(
                Map.of("getKind", ElementKind.METHOD, "getName", method, "getParameterTypes", List.of(parameters)),
                EVERY_KIND);
        Object result = made(Map.of("getKind", ElementKind.RETURN_VALUE, "getName", "<return value>"), EVERY_KIND);
        Object path = made(Map.of("iterator", List.of(called, result)), Path.class);
        Object violation = made(
                Map.of("getRootBean", bean, "getPropertyPath", path, "getMessage", "no"), ConstraintViolation.class);
        return new ConstraintViolationException(Set.of((ConstraintViolation<?>) violation));
    }

    private static Object made(Map<String, Object> answers, Class<?>... types) {
        return Proxy.newProxyInstance(
                HibernateViolations.class.getClassLoader(),
                types,
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "as" -> proxy;
                    case "iterator" -> ((List<?>) answers.get("iterator")).iterator();
                    case "hashCode" -> answers.size();
                    case "equals" -> proxy == arguments[0];
                    case "toString" -> String.join(", ", answers.keySet());
                    case "getParameterIndex" -> throw new IllegalArgumentException("not of this kind");
                    default -> answers.get(method.getName());
                });
    }
}
