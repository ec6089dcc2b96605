package io.idempotency.processor.plan;

import io.idempotency.processor.model.Accessors.State;
import io.micronaut.inject.ast.PropertyElement;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Properties of entities that a database or its mapper sets: known by their annotations' names only. */
final class GeneratedProperties {

    private static final String DATA = "io.micronaut.data.annotation.";

    private static final List<String> ANNOTATIONS = List.of(
            DATA + "AutoPopulated",
            DATA + "DateCreated",
            DATA + "DateUpdated",
            DATA + "GeneratedValue",
            DATA + "Version",
            "jakarta.persistence.GeneratedValue",
            "jakarta.persistence.Version",
            "javax.persistence.GeneratedValue",
            "javax.persistence.Version",
            "org.hibernate.annotations.CreationTimestamp",
            "org.hibernate.annotations.UpdateTimestamp");

    private GeneratedProperties() {}

    static Set<String> of(State state) {
        return state.properties().stream()
                .filter(GeneratedProperties::isAnnotated)
                .map(PropertyElement::getName)
                .collect(Collectors.toSet());
    }

    private static boolean isAnnotated(PropertyElement property) {
        return ANNOTATIONS.stream().anyMatch(property::hasStereotype);
    }

    static String message(String path) {
        return "'" + path + "' is set when the entity is stored, so that a retry with the stored entity has another"
                + " fingerprint: it is refused, or runs the body again where the arguments are the key. Take a record with"
                + " what the caller asks for, or mark the property @NotFingerprinted.";
    }
}
