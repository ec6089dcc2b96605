package io.idempotency.runtime.config;

import java.util.Set;

/** Operations that come from the configuration and have no annotated method. */
public interface ConfiguredOperations {

    /**
     * Binds them all, so that a wrong property stops the start.
     *
     * @return their names
     * @throws io.micronaut.context.exceptions.ConfigurationException when one cannot be bound
     */
    Set<String> names();
}
