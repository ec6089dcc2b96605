package io.idempotency.runtime.codec;

import java.util.List;

/** Containers that hold their elements and nothing else: those of the platform and of libraries of collections. */
final class PlainContainers {

    private static final List<String> LIBRARIES = List.of(
            "java.",
            "kotlin.",
            "kotlinx.",
            "groovy.",
            "org.codehaus.groovy.",
            "scala.",
            "io.micronaut.",
            "io.vavr.",
            "com.google.common.",
            "org.apache.commons.collections4.",
            "org.eclipse.collections.",
            "org.hibernate.collection.");

    private PlainContainers() {}

    /** Whether a collection's or a map's elements say all about it; nothing shows what a class of an application adds. */
    static boolean contain(Object container) {
        String name = container.getClass().getName();
        return container.getClass().getClassLoader() == null
                || LIBRARIES.stream().anyMatch(name::startsWith);
    }
}
