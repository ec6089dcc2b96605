package io.idempotency.processor.model;

import io.micronaut.inject.ast.ClassElement;
import io.micronaut.inject.ast.ParameterElement;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import javax.lang.model.util.ElementFilter;

/**
 * Kotlin puts an annotation of a property in the constructor's head on the parameter, unless told otherwise. Constructors
 * are looked at once for all properties: that is what takes the time.
 */
final class ConstructorParameters {

    private final Map<String, Map<String, ParameterElement>> byType = new HashMap<>();

    Optional<ParameterElement> of(ClassElement declaring, String property) {
        return Optional.ofNullable(byType.computeIfAbsent(declaring.getName(), name -> parametersOf(declaring))
                .get(property));
    }

    private static Map<String, ParameterElement> parametersOf(ClassElement declaring) {
        if (!mayBeAnnotated(declaring)) {
            return Map.of();
        }
        Map<String, ParameterElement> parameters = new HashMap<>();
        declaring
                .getPrimaryConstructor()
                .ifPresent(constructor -> Stream.of(constructor.getParameters())
                        .forEach(parameter -> parameters.put(parameter.getName(), parameter)));
        return parameters;
    }

    /** Asked of the compiler first, since Micronaut's search for the constructor costs more than all the rest. */
    private static boolean mayBeAnnotated(ClassElement declaring) {
        return CompilerModel.type(declaring)
                .map(source -> ElementFilter.constructorsIn(source.getEnclosedElements()).stream()
                        .flatMap(constructor -> constructor.getParameters().stream())
                        .anyMatch(parameter -> !parameter.getAnnotationMirrors().isEmpty()))
                .orElse(true);
    }
}
