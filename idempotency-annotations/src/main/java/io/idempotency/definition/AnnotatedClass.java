package io.idempotency.definition;

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Reads a class's annotations by reflection: nothing is generated for a class of which no annotation processor knows. In
 * a native image it finds nothing; the same application on a JVM does.
 */
final class AnnotatedClass {

    /** Whose classes have no such annotation, and are many. */
    private static final List<String> KNOWN = List.of("java.", "javax.", "jakarta.", "io.micronaut.", "io.netty.");

    private AnnotatedClass() {}

    /** The methods with one of the annotations, inherited ones and those of annotations that carry it included. */
    static Set<String> methods(Class<?> type, Collection<Class<? extends Annotation>> annotations) {
        Set<String> found = new HashSet<>();
        collect(type, annotations, new HashSet<>(), found);
        return found;
    }

    /**
     * The functions of Kotlin with one of the annotations whose names in byte code are no names in Java: with value classes
     * in their signature they are called {@code pay-8lB9wKc}.
     */
    static Set<String> valueClassFunctions(Class<?> type, Collection<Class<? extends Annotation>> annotations) {
        return ofKotlin(type)
                ? methods(type, annotations).stream()
                        .filter(name -> name.indexOf('-') >= 0)
                        .collect(Collectors.toSet())
                : Set.of();
    }

    /** The proxy of a Kotlin class is none itself. */
    private static boolean ofKotlin(Class<?> type) {
        for (Class<?> each = type; each != null && each != Object.class; each = each.getSuperclass()) {
            if (Arrays.stream(each.getAnnotations())
                    .anyMatch(it -> it.annotationType().getName().equals("kotlin.Metadata"))) {
                return true;
            }
        }
        return false;
    }

    private static void collect(
            Class<?> type, Collection<Class<? extends Annotation>> annotations, Set<Class<?>> seen, Set<String> found) {
        if (KNOWN.stream().anyMatch(type.getName()::startsWith) || !seen.add(type)) {
            return;
        }
        if (carries(type.getAnnotations(), annotations, new HashSet<>())) {
            found.add(type.getName());
        }
        for (Method method : methodsOf(type)) {
            if (carries(method.getAnnotations(), annotations, new HashSet<>())) {
                found.add(type.getName() + "." + method.getName());
            }
        }
        Stream.concat(Stream.ofNullable(type.getSuperclass()), Stream.of(type.getInterfaces()))
                .forEach(parent -> collect(parent, annotations, seen, found));
    }

    /** A class may name types that this application does not have; then none of its methods can be ours to judge. */
    private static Method[] methodsOf(Class<?> type) {
        try {
            return type.getDeclaredMethods();
        } catch (LinkageError e) {
            return new Method[0];
        }
    }

    private static boolean carries(
            Annotation[] present, Collection<Class<? extends Annotation>> annotations, Set<Class<?>> seen) {
        for (Annotation each : present) {
            Class<? extends Annotation> type = each.annotationType();
            if (annotations.contains(type)) {
                return true;
            }
            boolean isNew = KNOWN.stream().noneMatch(type.getName()::startsWith) && seen.add(type);
            if (isNew && carries(type.getAnnotations(), annotations, seen)) {
                return true;
            }
        }
        return false;
    }
}
