package io.idempotency.runtime.intercept;

import io.idempotency.definition.FingerprintWriter;
import io.idempotency.definition.KeySource;
import io.idempotency.definition.OperationDefinition;
import io.micronaut.core.type.Argument;
import org.jspecify.annotations.Nullable;

/** An operation that is called by hand: nothing is declared, so every policy is configured. */
record ProgrammaticDefinition(String name, Argument<?> resultType) implements OperationDefinition {

    @Override
    public String origin() {
        return "IdempotencyExecutor";
    }

    @Override
    public KeySource keySource() {
        return KeySource.PARAMETERS;
    }

    @Override
    public void fingerprint(@Nullable Object[] arguments, FingerprintWriter writer) {
        throw new UnsupportedOperationException("What is called by hand has no parameters");
    }
}
