package io.idempotency.runtime.intercept;

import io.idempotency.definition.IdempotentAdvice;
import io.idempotency.definition.OperationDefinition;
import io.idempotency.runtime.Operation;
import io.idempotency.runtime.codec.ResultCodecs;
import io.idempotency.runtime.config.KeyPolicies;
import io.idempotency.runtime.config.OperationBinder;
import io.micronaut.context.exceptions.ConfigurationException;
import io.micronaut.core.annotation.AnnotationClassValue;
import io.micronaut.inject.ExecutableMethod;
import jakarta.inject.Singleton;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
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
        OperationDefinition definition = definitionOf(method);
        requireOwn(definition, method);
        Operation operation = binder.bind(definition, codecs.codecFor(definition.resultType()), dataSourceOf(method));
        return new BoundOperation(definition, operation, keyPolicies.of(definition), method.hasStereotype(RETRYABLE));
    }

    private static void requireOwn(OperationDefinition definition, ExecutableMethod<?, ?> method) {
        String signature = signature(method);
        if (!signature.equals(definition.method())) {
            throw new ConfigurationException("Method " + signature + " is bound to the definition "
                    + definition.getClass().getName() + ", which was generated from " + definition.method()
                    + ". Its calls would get another operation's key, fingerprint and results. No body ran. Delete what was"
                    + " compiled of its module and compile it again, with the idempotency-processor of this version;"
                    + " @IdempotentAdvice is not for applications.");
        }
    }

    /** As {@link OperationDefinition#method()} has it. */
    private static String signature(ExecutableMethod<?, ?> method) {
        return Stream.of(method.getArgumentTypes())
                .map(type -> type.getTypeName().replace('$', '.'))
                .collect(Collectors.joining(
                        ",", method.getDeclaringType().getName() + "#" + method.getMethodName() + "(", ")"));
    }

    /** By name: an application without transactions has no such annotation. */
    private static @Nullable String dataSourceOf(ExecutableMethod<?, ?> method) {
        return method.stringValue("io.micronaut.transaction.annotation.Transactional")
                .filter(name -> !name.isEmpty())
                .orElse(null);
    }

    /** The generated method metadata creates the instance itself: nothing is looked up by name. */
    static OperationDefinition definitionOf(ExecutableMethod<?, ?> method) {
        return method.getAnnotationMetadata()
                .findAnnotation(IdempotentAdvice.class)
                .flatMap(advice -> advice.annotationClassValue("definition"))
                .flatMap(AnnotationClassValue::getInstance)
                .filter(OperationDefinition.class::isInstance)
                .map(OperationDefinition.class::cast)
                .orElseThrow(
                        () -> new ConfigurationException(
                                "Method " + method.getDescription(false)
                                        + " has no generated operation definition. Compile it with idempotency-processor as an"
                                        + " annotation processor and @IdempotentOperation; @IdempotentAdvice is not for applications."));
    }
}
