package io.idempotency.runtime.config;

import io.idempotency.OnAbandoned;
import io.idempotency.OnFailure;
import io.idempotency.OnStoreFailure;
import io.idempotency.OtherCallers;
import io.idempotency.WhenInProgress;
import io.idempotency.runtime.KeyFormat;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.core.bind.annotation.Bindable;
import io.micronaut.core.convert.format.ReadableBytes;
import java.time.Duration;

/**
 * The policies of operations: {@code idempotency.*} for all of them, {@code idempotency.operations.<name>.*} for one. Each is
 * declared here once, with the default for all; Micronaut's metadata says its name and type to whoever reads or checks it.
 */
public interface PolicyConfiguration extends FailureLists {

    /**
     * The store that remembers operations which do not name one.
     *
     * @return null when it is left to the class path
     */
    @Nullable
    String getStore();

    /**
     * How long an outcome is remembered.
     *
     * @return at least the lease
     */
    @Bindable(defaultValue = "24h")
    Duration getRetention();

    /**
     * How long a record without an outcome is kept: a duration, or {@code forever}.
     *
     * @return at least the lease
     */
    @Bindable(defaultValue = "30d")
    String getInDoubtRetention();

    /**
     * How long a claim stands without renewal.
     *
     * @return at least 10 ms
     */
    @Bindable(defaultValue = "30s")
    Duration getLease();

    /**
     * Whether a call without a key is refused.
     *
     * @return true unless configured
     */
    @Bindable(defaultValue = "true")
    Boolean getKeyRequired();

    /**
     * What the key in an Idempotency-Key header has to look like.
     *
     * @return any text unless configured
     */
    @Bindable(defaultValue = "ANY")
    KeyFormat getKeyFormat();

    /**
     * What a key means when another caller uses it too.
     *
     * @return by who chose the key unless configured
     */
    @Bindable(defaultValue = "DEFAULT")
    OtherCallers getOtherCallers();

    /**
     * How many new keys of one operation a node claims in the time that {@code idempotency.limits.window} says. A call with
     * one more is refused and its body does not run; what is remembered is replayed.
     *
     * @return 0 for no limit
     */
    @Bindable(defaultValue = "0")
    Integer getMaxNewKeys();

    /**
     * The same of each caller of one operation. Calls of nobody are counted as one caller's.
     *
     * @return 0 for no limit
     */
    @Bindable(defaultValue = "0")
    Integer getMaxNewKeysPerCaller();

    /**
     * What a duplicate does while the body runs.
     *
     * @return reject unless configured
     */
    @Bindable(defaultValue = "REJECT")
    WhenInProgress getWhenInProgress();

    /**
     * How long a duplicate waits.
     *
     * @return not negative
     */
    @Bindable(defaultValue = "10s")
    Duration getWaitTimeout();

    /**
     * What an undeclared exception means.
     *
     * @return remember unless configured
     */
    @Bindable(defaultValue = "REMEMBER")
    OnFailure getOnFailure();

    /**
     * What a call does when its store cannot be reached before the body.
     *
     * @return fail unless configured
     */
    @Bindable(defaultValue = "FAIL")
    OnStoreFailure getOnStoreFailure();

    /**
     * What happens when an owner vanished.
     *
     * @return refuse unless configured
     */
    @Bindable(defaultValue = "REFUSE")
    OnAbandoned getOnAbandoned();

    /**
     * Whether the arguments are kept with a claim, encrypted, until its outcome is known. Counts with RECONCILE only.
     *
     * @return false unless configured
     */
    @Bindable(defaultValue = "false")
    Boolean getStoreArguments();

    /**
     * The largest result that is stored, in bytes or as {@code 256KB}. Of a larger one only the fact is remembered.
     *
     * @return not negative
     */
    @ReadableBytes
    @Bindable(defaultValue = "262144")
    Integer getMaxResultSize();
}
