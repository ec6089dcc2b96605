package io.idempotency.runtime.intercept;

import io.idempotency.definition.OperationDefinition;
import io.idempotency.runtime.call.Operation;
import io.idempotency.runtime.config.KeyPolicy;

/**
 * One annotated method with everything decided.
 *
 * @param retried whether advice around it calls it again with the same, possibly changed, arguments
 */
record BoundOperation(OperationDefinition definition, Operation operation, KeyPolicy keys, boolean retried) {}
