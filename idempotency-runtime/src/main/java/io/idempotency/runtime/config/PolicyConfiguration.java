package io.idempotency.runtime.config;

import io.idempotency.OnAbandoned;
import io.idempotency.OnFailure;
import io.idempotency.OnStoreFailure;
import io.idempotency.OtherCallers;
import io.idempotency.WhenInProgress;
import io.idempotency.runtime.KeyFormat;
import io.idempotency.runtime.Within;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.core.bind.annotation.Bindable;
import io.micronaut.core.convert.format.ReadableBytes;
import java.time.Duration;
import java.util.List;

/**
 * The policies of operations: {@code idempotency.*} for all of them, {@code idempotency.operations.<name>.*} for one. Each is
 * declared here once, with the default for all; readers and checks of it take its name and type from Micronaut's metadata.
 */
public interface PolicyConfiguration {

    /** The longest span. A call with a longer one, which nanoseconds cannot hold, would fail after its body. */
    String HUNDRED_YEARS = "36500d";

    /** The store that remembers operations which do not name one; left out, the only shared one on the class path. */
    @Nullable
    String getStore();

    /** How long an outcome is remembered; at least the lease. */
    @Within(min = "1ms", max = HUNDRED_YEARS)
    @Bindable(defaultValue = "24h")
    Duration getRetention();

    /** How long a record without an outcome is kept: a duration, or {@code forever}; at least the lease. */
    @Bindable(defaultValue = "30d")
    String getInDoubtRetention();

    /** How long a claim stands without renewal; at least 10 ms. */
    @Within(min = "10ms", max = HUNDRED_YEARS)
    @Bindable(defaultValue = "30s")
    Duration getLease();

    /** Whether a call without a key is refused. */
    @Bindable(defaultValue = "true")
    Boolean getKeyRequired();

    /** What the key in an Idempotency-Key header has to look like. */
    @Bindable(defaultValue = "ANY")
    KeyFormat getKeyFormat();

    /** What a key means when another caller uses it too. */
    @Bindable(defaultValue = "DEFAULT")
    OtherCallers getOtherCallers();

    /**
     * How many new keys of one operation a node claims in the time that {@code idempotency.limits.window} says. A call with one
     * more is refused and its body does not run; what is remembered is replayed. 0 for no limit.
     */
    @Within(min = "0")
    @Bindable(defaultValue = "0")
    Integer getMaxNewKeys();

    /** The same of each caller of one operation. Calls without a caller are counted as one caller's. 0 for no limit. */
    @Within(min = "0")
    @Bindable(defaultValue = "0")
    Integer getMaxNewKeysPerCaller();

    /** What a duplicate does while the body runs. */
    @Bindable(defaultValue = "REJECT")
    WhenInProgress getWhenInProgress();

    /** How long a duplicate waits; not negative. */
    @Within(min = "0s", max = HUNDRED_YEARS)
    @Bindable(defaultValue = "10s")
    Duration getWaitTimeout();

    /** What an undeclared exception means. */
    @Bindable(defaultValue = "REMEMBER")
    OnFailure getOnFailure();

    /** What a call does when its store cannot be reached before the body. */
    @Bindable(defaultValue = "FAIL")
    OnStoreFailure getOnStoreFailure();

    /** What happens when an owner vanished. */
    @Bindable(defaultValue = "REFUSE")
    OnAbandoned getOnAbandoned();

    /** Whether the arguments are kept with a claim, encrypted, until its outcome is known. Counts with RECONCILE only. */
    @Bindable(defaultValue = "false")
    Boolean getStoreArguments();

    /**
     * The largest result that is stored, in bytes or as {@code 256KB}. Of a larger one only the fact is remembered. Not
     * negative.
     */
    @Within(min = "0")
    @ReadableBytes
    @Bindable(defaultValue = "262144")
    Integer getMaxResultSize();

    /** Class names of exceptions that prove that a body had no effect. */
    @Nullable
    List<String> getNoEffectFor();

    /** Class names of exceptions by which a body itself decided to fail. */
    @Nullable
    List<String> getFinalFor();

    /** Class names of exceptions that leave open whether a body had an effect. */
    @Nullable
    List<String> getUnknownFor();
}
