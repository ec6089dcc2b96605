package io.idempotency.processor.plan;

import io.idempotency.processor.model.BoundType;
import io.micronaut.inject.ast.ClassElement;
import io.micronaut.inject.ast.ElementQuery;
import io.micronaut.inject.ast.MethodElement;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Types that do not say what their values hold, but may hold data: those are written as JSON at run time. What stands
 * for behaviour or for a part of a framework never is.
 */
final class OpenTypes {

    private static final Set<String> DATA =
            Set.of("java.lang.Object", "java.lang.Number", "java.lang.Comparable", "java.io.Serializable");

    private static final List<String> PLATFORM = List.of(
            "java.",
            "javax.",
            "jakarta.",
            "kotlin.",
            "kotlinx.",
            "groovy.",
            "io.micronaut.",
            "io.netty.",
            "io.opentelemetry.",
            "io.micrometer.",
            "io.reactivex.",
            "org.reactivestreams.",
            "org.slf4j.",
            "reactor.");

    private OpenTypes() {}

    /** What keeps the type from being written at compile time; empty where it is closed, or can never be written. */
    static Optional<String> why(BoundType type) {
        if (type.is("java.lang.Object")) {
            return Optional.of("it can hold anything");
        }
        boolean isAbstract = type.element().isInterface() || type.element().isAbstract();
        return isAbstract && mayHoldData(type)
                ? Optional.of("it is abstract, and its subtypes may carry more than it shows")
                : Optional.empty();
    }

    private static boolean mayHoldData(BoundType type) {
        return DATA.contains(type.name())
                || (PLATFORM.stream().noneMatch(type.name()::startsWith) && !isBehaviour(type.element()));
    }

    /** An interface whose methods all take something or return nothing shows no data. */
    private static boolean isBehaviour(ClassElement type) {
        List<MethodElement> methods = type.getEnclosedElements(ElementQuery.ALL_METHODS.onlyAbstract());
        boolean reads = methods.stream()
                .anyMatch(method -> method.getParameters().length == 0
                        && !method.getReturnType().isVoid());
        return type.isInterface() && (type.hasStereotype(FunctionalInterface.class) || (!methods.isEmpty() && !reads));
    }
}
