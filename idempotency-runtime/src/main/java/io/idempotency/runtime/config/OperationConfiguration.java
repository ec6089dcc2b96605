package io.idempotency.runtime.config;

import io.idempotency.OnAbandoned;
import io.idempotency.OnFailure;
import io.idempotency.OnStoreFailure;
import io.idempotency.OtherCallers;
import io.idempotency.WhenInProgress;
import io.idempotency.runtime.KeyFormat;
import io.micronaut.context.annotation.EachProperty;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.core.convert.format.ReadableBytes;
import java.time.Duration;

/** {@code idempotency.operations.<name>.*}: overrides one operation without a new build. Null means not overridden. */
@EachProperty(OperationConfiguration.PREFIX)
public interface OperationConfiguration extends FailureLists {

    /** Where the properties are. */
    String PREFIX = IdempotencyConfiguration.PREFIX + ".operations";

    /**
     * Whether it is called by hand only, so that no annotated method of the name is missed.
     *
     * @return true if so
     */
    @Nullable
    Boolean getProgrammatic();

    /**
     * The store.
     *
     * @return a store's name
     */
    @Nullable
    String getStore();

    /**
     * How long an outcome is remembered.
     *
     * @return at least the lease
     */
    @Nullable
    Duration getRetention();

    /**
     * How long a record without an outcome is kept.
     *
     * @return a duration, or {@code forever}
     */
    @Nullable
    String getInDoubtRetention();

    /**
     * How long a claim stands without renewal.
     *
     * @return at least 10 ms
     */
    @Nullable
    Duration getLease();

    /**
     * Whether a call without a key is refused.
     *
     * @return true to refuse
     */
    @Nullable
    Boolean getKeyRequired();

    /**
     * What the key in an Idempotency-Key header has to look like.
     *
     * @return the format
     */
    @Nullable
    KeyFormat getKeyFormat();

    /**
     * What a key means when another caller uses it too.
     *
     * @return by who chose the key, share, isolate or forbid
     */
    @Nullable
    OtherCallers getOtherCallers();

    /**
     * What a duplicate does while the body runs.
     *
     * @return reject or wait
     */
    @Nullable
    WhenInProgress getWhenInProgress();

    /**
     * How long a duplicate waits.
     *
     * @return not negative
     */
    @Nullable
    Duration getWaitTimeout();

    /**
     * What an undeclared exception means.
     *
     * @return remember or release
     */
    @Nullable
    OnFailure getOnFailure();

    /**
     * What a call does when its store cannot be reached before the body.
     *
     * @return fail or proceed
     */
    @Nullable
    OnStoreFailure getOnStoreFailure();

    /**
     * What happens when an owner vanished.
     *
     * @return refuse, reconcile or take over
     */
    @Nullable
    OnAbandoned getOnAbandoned();

    /**
     * The largest result that is stored, in bytes or as {@code 256KB}.
     *
     * @return bytes
     */
    @ReadableBytes
    @Nullable
    Integer getMaxResultSize();
}
