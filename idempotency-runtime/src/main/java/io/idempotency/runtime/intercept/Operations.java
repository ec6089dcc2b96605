package io.idempotency.runtime.intercept;

import io.idempotency.definition.IdempotentAdvice;
import io.idempotency.definition.OperationDefinition;
import io.idempotency.runtime.call.Operation;
import io.idempotency.runtime.codec.ArgumentsCodec;
import io.idempotency.runtime.codec.ResultCodecs;
import io.idempotency.runtime.config.KeyPolicies;
import io.idempotency.runtime.config.OperationAttributes;
import io.idempotency.runtime.config.OperationBinder;
import io.micronaut.context.exceptions.ConfigurationException;
import io.micronaut.core.reflect.ClassUtils;
import io.micronaut.core.type.Argument;
import io.micronaut.inject.ExecutableMethod;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Binds each annotated method to its definition and policies, once. */
@Singleton
final class Operations {

    /** By name, because an application without retries does not have the annotation. */
    private static final String RETRYABLE = "io.micronaut.retry.annotation.Retryable";

    private final OperationBinder binder;
    private final KeyPolicies keyPolicies;
    private final ResultCodecs codecs;
    private final OperationOwners owners;
    private final ArgumentsCodec arguments;
    private final Map<Key, BoundOperation> bound = new ConcurrentHashMap<>();

    /** Methods that two products of a factory inherit are equal, but each has a definition of its own. */
    private record Key(
            ExecutableMethod<?, ?> method, @Nullable Class<?> definition) {

        /** Every call needs the hash, and a method computes its own each time from its name and arguments. */
        @Override
        public int hashCode() {
            return definition == null ? method.hashCode() : definition.hashCode();
        }
    }

    Operations(
            OperationBinder binder,
            KeyPolicies keyPolicies,
            ResultCodecs codecs,
            OperationOwners owners,
            ArgumentsCodec arguments) {
        this.binder = binder;
        this.keyPolicies = keyPolicies;
        this.codecs = codecs;
        this.owners = owners;
        this.arguments = arguments;
    }

    BoundOperation of(ExecutableMethod<?, ?> method) {
        Key key = new Key(
                method, method.classValue(IdempotentAdvice.class, "definition").orElse(null));
        BoundOperation known = bound.get(key);
        return known != null ? known : bound.computeIfAbsent(key, missing -> bind(missing.method()));
    }

    private BoundOperation bind(ExecutableMethod<?, ?> method) {
        OperationDefinition definition = GeneratedDefinitions.of(method);
        owners.claim(definition, ownerOf(definition, method));
        requireReplayable(definition);
        Operation operation = binder.bind(
                definition, codecs.codecFor(definition.name(), definition.resultType()), dataSourceOf(method));
        arguments.learn(operation, definition.origin(), parameters(method));
        return new BoundOperation(definition, operation, keyPolicies.of(definition), isRetried(method));
    }

    /** Refuses a result type that cannot be replayed, at the start rather than after a body has run. */
    private void requireReplayable(OperationDefinition definition) {
        String problem = codecs.problemWith(definition.resultType());
        if (problem != null) {
            throw OperationAttributes.refused(
                    definition, ": its result cannot be recorded and replayed: " + problem + ". No body ran.");
        }
    }

    /** Returns the parameters without a suspend function's continuation. */
    private static List<Argument<?>> parameters(ExecutableMethod<?, ?> method) {
        List<Argument<?>> all = List.of(method.getArguments());
        return method.isSuspend() ? all.subList(0, all.size() - 1) : all;
    }

    static boolean isRetried(ExecutableMethod<?, ?> method) {
        return method.hasStereotype(RETRYABLE);
    }

    /** Returns the bean's class; a factory's product has its inherited methods from their own class. */
    private static Class<?> ownerOf(OperationDefinition definition, ExecutableMethod<?, ?> method) {
        Class<?> declaring = method.getDeclaringType();
        String expected = Objects.requireNonNullElse(definition.method(), "");
        int end = expected.indexOf('#');
        String owner = end < 0 ? "" : expected.substring(0, end);
        // by name only where necessary: a native image finds only registered classes by name
        return (owner.equals(declaring.getName())
                        ? Optional.<Class<?>>of(declaring)
                        : ClassUtils.forName(owner, declaring.getClassLoader()).<Class<?>>map(type -> type))
                .filter(type -> declaring.isAssignableFrom(type) && expected.equals(owner + "#" + signature(method)))
                .orElseThrow(() -> new ConfigurationException("Method " + declaring.getName() + "#" + signature(method)
                        + " is bound to the definition " + definition.getClass().getName()
                        + ", which was generated from " + definition.method()
                        + ". Its calls would get another operation's key, fingerprint and results. No body ran. Delete what"
                        + " was compiled of its module and compile it again, with the idempotency-processor of this"
                        + " version; @IdempotentAdvice is not for applications."));
    }

    /** Returns the signature as {@link OperationDefinition#method()} has it, without a continuation. */
    private static String signature(ExecutableMethod<?, ?> method) {
        Class<?>[] types = method.getArgumentTypes();
        return Stream.of(types)
                .limit(method.isSuspend() ? types.length - 1 : types.length)
                .map(type -> type.getTypeName().replace('$', '.'))
                .collect(Collectors.joining(",", method.getMethodName() + "(", ")"));
    }

    /** By name, because an application without transactions does not have the annotation. */
    private static @Nullable String dataSourceOf(ExecutableMethod<?, ?> method) {
        return method.stringValue("io.micronaut.transaction.annotation.Transactional")
                .filter(name -> !name.isEmpty())
                .orElse(null);
    }
}
