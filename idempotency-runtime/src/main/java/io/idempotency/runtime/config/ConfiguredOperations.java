package io.idempotency.runtime.config;

import io.idempotency.runtime.call.Operation;
import java.util.Collection;

/** Operations that come from the configuration and have no annotated method. */
public interface ConfiguredOperations {

    /**
     * Binds them all, each with every policy decided, so that a wrong property stops the start.
     *
     * @throws io.micronaut.context.exceptions.ConfigurationException when one cannot be bound
     */
    Collection<Operation> operations();
}
