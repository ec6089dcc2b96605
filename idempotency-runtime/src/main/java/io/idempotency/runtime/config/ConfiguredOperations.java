package io.idempotency.runtime.config;

import io.idempotency.runtime.call.Operation;
import java.util.Collection;

/** Operations that the configuration declares without an annotated method. */
public interface ConfiguredOperations {

    /**
     * Binds all of them with every policy decided, so that a wrong property fails the start.
     *
     * @throws io.micronaut.context.exceptions.ConfigurationException when one cannot be bound
     */
    Collection<Operation> operations();
}
