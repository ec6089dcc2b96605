package io.idempotency.runtime.intercept;

import io.idempotency.definition.OperationDefinition;
import io.idempotency.runtime.Operation;
import io.idempotency.runtime.codec.ResultCodecs;
import io.idempotency.runtime.config.KeyPolicies;
import io.idempotency.runtime.config.OperationBinder;
import io.micronaut.inject.ExecutableMethod;
import jakarta.inject.Singleton;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Binds each annotated method to its definition and policies, once. */
@Singleton
final class Operations {

    /** By name: an application that retries nothing has no such annotation. */
    private static final String RETRYABLE = "io.micronaut.retry.annotation.Retryable";

    private final OperationBinder binder;
    private final KeyPolicies keyPolicies;
    private final ResultCodecs codecs;
    private final Map<ExecutableMethod<?, ?>, BoundOperation> bound = new ConcurrentHashMap<>();

    Operations(OperationBinder binder, KeyPolicies keyPolicies, ResultCodecs codecs) {
        this.binder = binder;
        this.keyPolicies = keyPolicies;
        this.codecs = codecs;
    }

    BoundOperation of(ExecutableMethod<?, ?> method) {
        BoundOperation known = bound.get(method);
        return known != null ? known : bound.computeIfAbsent(method, this::bind);
    }

    private BoundOperation bind(ExecutableMethod<?, ?> method) {
        OperationDefinition definition = GeneratedDefinitions.of(method);
        Operation operation = binder.bind(definition, codecs.codecFor(definition.resultType()), dataSourceOf(method));
        return new BoundOperation(definition, operation, keyPolicies.of(definition), isRetried(method));
    }

    static boolean isRetried(ExecutableMethod<?, ?> method) {
        return method.hasStereotype(RETRYABLE);
    }

    /** By name: an application without transactions has no such annotation. */
    private static @Nullable String dataSourceOf(ExecutableMethod<?, ?> method) {
        return method.stringValue("io.micronaut.transaction.annotation.Transactional")
                .filter(name -> !name.isEmpty())
                .orElse(null);
    }
}
