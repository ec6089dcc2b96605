package io.idempotency.processor.plan;

import io.idempotency.NotFingerprinted;
import io.idempotency.processor.model.BoundType;
import java.util.List;

/**
 * Types that say something about a call and nothing about what is asked for: never part of a fingerprint.
 *
 * @param further the application's own
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
            "org.apache.kafka.clients.consumer.Consumer");

    boolean contains(BoundType type) {
        if (further.isEmpty() && Scalars.isPlatform(type)) {
            return false; // most properties: no need to look at what they extend
        }
        return type.isAssignableToAny(SKIPPED)
                || type.isAssignableToAny(further)
                || (type.component() == null && type.element().hasStereotype(NotFingerprinted.class));
    }
}
