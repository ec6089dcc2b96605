package io.idempotency.runtime.config;

import io.micronaut.context.annotation.EachProperty;
import io.micronaut.core.annotation.Nullable;

/**
 * {@code idempotency.operations.<name>.*}: overrides one operation without a new build. What counts is read by the properties'
 * full names, since Micronaut makes no bean of a name that only an environment variable gives: these getters say which
 * properties there are, and for what is not written their defaults do not count.
 */
@EachProperty(OperationConfiguration.PREFIX)
public interface OperationConfiguration extends PolicyConfiguration {

    /** The prefix of these properties. */
    String PREFIX = IdempotencyConfiguration.PREFIX + ".operations";

    /** Whether it is called by hand only, so that no annotated method of the name is missed. */
    @Nullable
    Boolean getProgrammatic();
}
