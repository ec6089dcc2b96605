package io.idempotency.runtime.config;

import io.idempotency.OnAbandoned;
import io.idempotency.OnFailure;
import io.idempotency.OnStoreFailure;
import io.idempotency.OtherCallers;
import io.idempotency.WhenInProgress;
import io.idempotency.definition.OperationDefinition;
import io.idempotency.runtime.KeyFormat;
import java.time.Duration;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A policy of an operation. What is written for the one operation counts first, then its annotation, then what is written
 * for all. The type and the default are those of the configuration's getter.
 *
 * @param property its name below {@code idempotency.operations.<name>}
 * @param declared the annotation's value, null when left out
 * @param standard the value for all operations
 */
record Attribute<T>(
        String property,
        Function<OperationDefinition, @Nullable T> declared,
        Function<IdempotencyConfiguration, @Nullable T> standard) {

    static final Attribute<String> STORE =
            new Attribute<>("store", OperationDefinition::store, IdempotencyConfiguration::getStore);
    static final Attribute<Duration> RETENTION =
            new Attribute<>("retention", OperationDefinition::retention, IdempotencyConfiguration::getRetention);
    static final Attribute<String> IN_DOUBT_RETENTION =
            new Attribute<>("in-doubt-retention", none -> null, IdempotencyConfiguration::getInDoubtRetention);
    static final Attribute<Duration> LEASE =
            new Attribute<>("lease", OperationDefinition::lease, IdempotencyConfiguration::getLease);
    static final Attribute<Boolean> KEY_REQUIRED =
            new Attribute<>("key-required", OperationDefinition::keyRequired, IdempotencyConfiguration::isKeyRequired);
    static final Attribute<KeyFormat> KEY_FORMAT =
            new Attribute<>("key-format", none -> null, IdempotencyConfiguration::getKeyFormat);
    static final Attribute<OtherCallers> OTHER_CALLERS = new Attribute<>(
            "other-callers", OperationDefinition::otherCallers, IdempotencyConfiguration::getOtherCallers);
    static final Attribute<WhenInProgress> WHEN_IN_PROGRESS = new Attribute<>(
            "when-in-progress", OperationDefinition::whenInProgress, IdempotencyConfiguration::getWhenInProgress);
    static final Attribute<Duration> WAIT_TIMEOUT =
            new Attribute<>("wait-timeout", OperationDefinition::waitTimeout, IdempotencyConfiguration::getWaitTimeout);
    static final Attribute<OnFailure> ON_FAILURE =
            new Attribute<>("on-failure", OperationDefinition::onFailure, IdempotencyConfiguration::getOnFailure);
    static final Attribute<OnStoreFailure> ON_STORE_FAILURE = new Attribute<>(
            "on-store-failure", OperationDefinition::onStoreFailure, IdempotencyConfiguration::getOnStoreFailure);
    static final Attribute<OnAbandoned> ON_ABANDONED =
            new Attribute<>("on-abandoned", OperationDefinition::onAbandoned, IdempotencyConfiguration::getOnAbandoned);
    static final Attribute<Integer> MAX_RESULT_SIZE =
            new Attribute<>("max-result-size", none -> null, IdempotencyConfiguration::getMaxResultSize);
}
