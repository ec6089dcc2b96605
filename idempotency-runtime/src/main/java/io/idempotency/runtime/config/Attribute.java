package io.idempotency.runtime.config;

import io.idempotency.OnAbandoned;
import io.idempotency.OnFailure;
import io.idempotency.OnStoreFailure;
import io.idempotency.OtherCallers;
import io.idempotency.WhenInProgress;
import io.idempotency.runtime.KeyFormat;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A policy of an operation. What is written for the one operation counts first, then its annotation, then what is written
 * for all. Whoever adds one writes a member of the annotation (where it has one), a getter of both configurations, and a line
 * here; {@code AttributeTest} fails when one of them is missing.
 *
 * @param property its name in the configuration; the annotation's member is the same in camel case
 * @param standard the value for all operations, with its default
 */
record Attribute<T>(String property, Function<IdempotencyConfiguration, @Nullable T> standard) {

    static final Attribute<String> STORE = new Attribute<>("store", IdempotencyConfiguration::getStore);
    static final Attribute<Duration> RETENTION = new Attribute<>("retention", IdempotencyConfiguration::getRetention);
    static final Attribute<String> IN_DOUBT_RETENTION =
            new Attribute<>("in-doubt-retention", IdempotencyConfiguration::getInDoubtRetention);
    static final Attribute<Duration> LEASE = new Attribute<>("lease", IdempotencyConfiguration::getLease);
    static final Attribute<Boolean> KEY_REQUIRED =
            new Attribute<>("key-required", IdempotencyConfiguration::isKeyRequired);
    static final Attribute<KeyFormat> KEY_FORMAT =
            new Attribute<>("key-format", IdempotencyConfiguration::getKeyFormat);
    static final Attribute<OtherCallers> OTHER_CALLERS =
            new Attribute<>("other-callers", IdempotencyConfiguration::getOtherCallers);
    static final Attribute<WhenInProgress> WHEN_IN_PROGRESS =
            new Attribute<>("when-in-progress", IdempotencyConfiguration::getWhenInProgress);
    static final Attribute<Duration> WAIT_TIMEOUT =
            new Attribute<>("wait-timeout", IdempotencyConfiguration::getWaitTimeout);
    static final Attribute<OnFailure> ON_FAILURE =
            new Attribute<>("on-failure", IdempotencyConfiguration::getOnFailure);
    static final Attribute<OnStoreFailure> ON_STORE_FAILURE =
            new Attribute<>("on-store-failure", IdempotencyConfiguration::getOnStoreFailure);
    static final Attribute<OnAbandoned> ON_ABANDONED =
            new Attribute<>("on-abandoned", IdempotencyConfiguration::getOnAbandoned);
    static final Attribute<Integer> MAX_RESULT_SIZE =
            new Attribute<>("max-result-size", IdempotencyConfiguration::getMaxResultSize);

    /** Every one there is. */
    static final List<Attribute<?>> ALL = List.of(
            STORE,
            RETENTION,
            IN_DOUBT_RETENTION,
            LEASE,
            KEY_REQUIRED,
            KEY_FORMAT,
            OTHER_CALLERS,
            WHEN_IN_PROGRESS,
            WAIT_TIMEOUT,
            ON_FAILURE,
            ON_STORE_FAILURE,
            ON_ABANDONED,
            MAX_RESULT_SIZE);
}
