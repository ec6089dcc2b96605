package io.idempotency.runtime.intercept;

import io.idempotency.definition.OperationDefinition;
import io.idempotency.runtime.call.Operation;
import io.idempotency.runtime.config.KeyPolicy;

/**
 * An annotated method or a call by hand with every policy decided.
 *
 * @param retried whether advice around the method calls it again with the same, possibly changed, arguments
 */
record BoundOperation(OperationDefinition definition, Operation operation, KeyPolicy keys, boolean retried) {}
