package io.idempotency.definition;

import io.idempotency.IdempotentOperation;
import io.idempotency.SendsIdempotencyKey;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads a class's annotations by reflection, since nothing is generated for a class that no annotation processor saw. Finds
 * nothing in a native image.
 */
final class AnnotatedClass {

    private static final Set<Class<?>> SOUGHT = Set.of(IdempotentOperation.class, SendsIdempotencyKey.class);

    /** Prefixes of the many classes that carry none of them. */
    private static final List<String> KNOWN = List.of("java.", "javax.", "jakarta.", "io.micronaut.", "io.netty.");

    private AnnotatedClass() {}

    /** The names of types and methods that carry a sought annotation, by themselves or through another annotation. */
    static Stream<String> methods(Class<?> type) {
        return hierarchy(type)
                .flatMap(each -> Stream.concat(
                        Stream.of(each).filter(AnnotatedClass::carries).map(Class::getName),
                        declaredMethods(each)
                                .filter(AnnotatedClass::carries)
                                .map(method -> each.getName() + "." + method.getName())));
    }

    /** Whether the Kotlin compiler wrote the class, or one that it inherits from. */
    static boolean isOfKotlin(Class<?> type) {
        return hierarchy(type)
                .flatMap(each -> Stream.of(each.getAnnotations()))
                .anyMatch(it -> it.annotationType().getName().equals("kotlin.Metadata"));
    }

    /** Finds none where a method names a class that the application lacks. */
    private static Stream<Method> declaredMethods(Class<?> type) {
        try {
            return Stream.of(type.getDeclaredMethods());
        } catch (LinkageError e) {
            return Stream.of();
        }
    }

    private static Stream<Class<?>> hierarchy(@Nullable Class<?> type) {
        return type == null || isKnown(type)
                ? Stream.of()
                : Stream.concat(
                        Stream.of(type),
                        Stream.concat(Stream.ofNullable(type.getSuperclass()), Stream.of(type.getInterfaces()))
                                .flatMap(AnnotatedClass::hierarchy));
    }

    private static boolean carries(AnnotatedElement element) {
        return carries(element, new HashSet<>());
    }

    /** Whether it does, apart from annotations that were looked through before. */
    private static boolean carries(AnnotatedElement element, Set<Class<?>> seen) {
        return Stream.of(element.getAnnotations())
                .map(Annotation::annotationType)
                .anyMatch(type -> SOUGHT.contains(type) || (!isKnown(type) && seen.add(type) && carries(type, seen)));
    }

    private static boolean isKnown(Class<?> type) {
        return KNOWN.stream().anyMatch(type.getName()::startsWith);
    }
}
