package io.idempotency.processor.plan;

import io.idempotency.NotFingerprinted;
import io.idempotency.processor.model.Accessors;
import io.idempotency.processor.model.Accessors.State;
import io.idempotency.processor.model.BoundType;
import io.micronaut.inject.ast.PropertyElement;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Types that describe the call rather than what it asks for, and are left out of fingerprints.
 *
 * @param further the application's own types
 */
record SkippedTypes(List<String> further) {

    private static final List<String> SKIPPED = List.of(
            "io.idempotency.IdempotencyContext",
            "io.micronaut.core.propagation.PropagatedContext",
            "io.micronaut.http.HttpHeaders",
            "io.micronaut.http.HttpParameters",
            "io.micronaut.http.HttpRequest",
            "io.micronaut.http.cookie.Cookie",
            "io.micronaut.http.cookie.Cookies",
            "io.micronaut.messaging.Acknowledgement",
            "io.micronaut.messaging.MessageHeaders",
            "io.micronaut.security.authentication.Authentication",
            "io.micronaut.session.Session",
            "io.micronaut.transaction.TransactionStatus",
            "io.opentelemetry.api.trace.Span",
            "io.opentelemetry.context.Context",
            "com.rabbitmq.client.BasicProperties",
            "com.rabbitmq.client.Channel",
            "com.rabbitmq.client.Envelope",
            "java.security.Principal",
            "kotlin.coroutines.Continuation",
            "kotlin.coroutines.CoroutineContext",
            "org.apache.kafka.clients.consumer.Consumer",
            "org.apache.kafka.common.header.Headers");

    private static final String DATA = "io.micronaut.data.annotation.";

    private static final List<String> GENERATED = List.of(
            DATA + "AutoPopulated",
            DATA + "DateCreated",
            DATA + "DateUpdated",
            DATA + "GeneratedValue",
            DATA + "Version",
            "jakarta.persistence.GeneratedValue",
            "jakarta.persistence.Version",
            "org.hibernate.annotations.CreationTimestamp",
            "org.hibernate.annotations.UpdateTimestamp");

    /** Tells whether a type is left out. In data (a property, a body), an application's own Principal is no caller. */
    boolean contains(BoundType type, boolean isData) {
        if (further.isEmpty() && Scalars.isPlatform(type)) {
            return false; // true of most properties: their super types need no look
        }
        boolean maySkip = !isData
                || SKIPPED.stream().anyMatch(it -> type.name().startsWith(it.substring(0, it.lastIndexOf('.') + 1)));
        return (maySkip && type.isAssignableToAny(SKIPPED)) || isMarked(type);
    }

    /** Tells whether the application leaves a type out, or all that an array, an optional or a collection holds. */
    boolean isMarked(BoundType type) {
        return isMarked(type, 0);
    }

    private boolean isMarked(BoundType type, int depth) {
        boolean holds = type.name().startsWith("java.util.") && type.arguments().size() == 1;
        Optional<BoundType> held = holds ? type.argument(0) : Optional.ofNullable(type.component());
        return type.isAssignableToAny(further)
                || type.element().hasStereotype(NotFingerprinted.class) // of an array, that of its component
                || held.or(type::elements)
                        .filter(it -> depth < BoundType.MAX_DEPTH && isMarked(it, depth + 1))
                        // what a collection holds besides its elements counts
                        .filter(it -> Accessors.besidesElements(type).isEmpty())
                        .isPresent();
    }

    /** Returns the properties of an entity that the database or its mapper sets. */
    static Set<String> generated(State state) {
        return state.properties().stream()
                .filter(property -> GENERATED.stream().anyMatch(property::hasStereotype))
                .map(PropertyElement::getName)
                .collect(Collectors.toSet());
    }

    static String generatedMessage(String path) {
        return "'" + path + "' is set when the entity is stored, so that a retry with the stored entity has another"
                + " fingerprint: it is refused, or runs the body again where the arguments are the key. Take a record"
                + " with what the caller asks for, or mark the property @NotFingerprinted.";
    }
}
