package io.idempotency.definition;

import io.idempotency.ApplicationShuttingDownException;
import io.idempotency.IdempotencyException;
import io.idempotency.IdempotencyStoreUnavailableException;
import io.idempotency.OperationInProgressException;
import io.idempotency.TooManyRecordsException;
import io.micronaut.core.annotation.AnnotationValue;
import io.micronaut.core.annotation.Internal;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** What an {@code @ErrorStrategy} of Micronaut Kafka does with a message whose call is refused for a while. */
@Internal
public final class KafkaStrategy {

    /** The annotation of a listener; named as a text, so that Micronaut Kafka does not have to be there. */
    public static final String LISTENER = "io.micronaut.configuration.kafka.annotation.KafkaListener";

    /** Names, in a placeholder, the group that an application with a name gives to listeners without one. */
    public static final String GROUP = "idempotency.kafka-group";

    /** The refusals that end after a while: the message is handled when it is tried again later. */
    public static final List<Class<? extends IdempotencyException>> PASSING = List.of(
            OperationInProgressException.class,
            IdempotencyStoreUnavailableException.class,
            TooManyRecordsException.class,
            ApplicationShuttingDownException.class);

    /** Attempts that take less time together end while a lease of the default length stands. */
    private static final Duration ENOUGH = Duration.ofSeconds(100);

    private KafkaStrategy() {}

    /** How often the strategy tries a message again: once, as Micronaut Kafka does, where it does not say. */
    public static int retries(AnnotationValue<?> strategy) {
        return strategy.intValue("retryCount").orElse(1);
    }

    /** Whether a strategy that tries a message again so often skips it before a refusal ends, so that it is never handled. */
    public static boolean skips(AnnotationValue<?> strategy, int retries, Optional<Duration> delay) {
        String value = strategy.stringValue().orElse("NONE");
        List<String> types = List.of(strategy.stringValues("exceptionTypes"));
        boolean allTypes = types.isEmpty()
                || PASSING.stream().map(Class::getName).allMatch(types::contains)
                || value.startsWith("RETRY_CONDITIONALLY");
        double waits = value.contains("EXPONENTIALLY") ? Math.pow(2, retries) - 1 : retries;
        long millis = delay.orElse(Duration.ofSeconds(1)).toMillis(); // Micronaut Kafka's default
        return !value.startsWith("RETRY_") || !allTypes || waits * millis < ENOUGH.toMillis();
    }
}
