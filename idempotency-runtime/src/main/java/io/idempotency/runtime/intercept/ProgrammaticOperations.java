package io.idempotency.runtime.intercept;

import io.idempotency.OnAbandoned;
import io.idempotency.definition.FingerprintWriter;
import io.idempotency.definition.KeySource;
import io.idempotency.definition.OperationDefinition;
import io.idempotency.definition.OperationName;
import io.idempotency.runtime.call.Operation;
import io.idempotency.runtime.codec.ResultCodecs;
import io.idempotency.runtime.codec.SingleUseTypes;
import io.idempotency.runtime.config.OperationAttributes;
import io.idempotency.runtime.config.OperationBinder;
import io.idempotency.runtime.config.OperationBinder.Bound;
import io.idempotency.runtime.config.OperationConfiguration;
import io.micronaut.context.exceptions.ConfigurationException;
import io.micronaut.core.type.Argument;
import jakarta.inject.Singleton;
import java.lang.invoke.MethodType;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Binds each operation that is called by hand to its policies, once for each result type. */
@Singleton
final class ProgrammaticOperations implements OperationBinder.Configured {

    private final OperationBinder binder;
    private final ResultCodecs codecs;
    private final Set<String> declared;
    private final Map<Definition, Bound> bound = new ConcurrentHashMap<>();
    private final Map<String, Argument<?>> results = new ConcurrentHashMap<>();
    private volatile Set<String> others = Set.of();

    /** The definition of an operation that is called by hand. It declares nothing: every policy is configured. */
    private record Definition(String name, Argument<?> resultType) implements OperationDefinition {

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

    ProgrammaticOperations(OperationBinder binder, ResultCodecs codecs, OperationAttributes attributes) {
        this.binder = binder;
        this.codecs = codecs;
        this.declared = attributes.programmatic();
    }

    /** Reserves the names of annotated methods and routes, which calls by hand must not use. */
    void reserve(Collection<String> names) {
        others = Set.copyOf(names);
        bound.keySet().stream()
                .map(Definition::name)
                .filter(name -> !declared.contains(name) && others.contains(name))
                .findFirst()
                .ifPresent(name -> {
                    throw new ConfigurationException("Operation '" + name
                            + "' was called by hand before the application had started, and an annotated method or a"
                            + " configured route has that name: they share their keys. Choose another name for the"
                            + " call by hand.");
                });
    }

    /** Binds the configured operations without a result, because only a call names the result's type. */
    @Override
    public Collection<Operation> operations() {
        return declared.stream()
                .map(name -> of(name, Argument.VOID).operation())
                .toList();
    }

    /** Refuses a second result type: callers would get each other's results. A caller of void gets none. */
    Bound called(String name, Argument<?> type) {
        Bound binding = of(name, type);
        if (type.isVoid() || type.getType() == Void.class) {
            return binding;
        }
        Argument<?> boxed = type.isPrimitive()
                ? Argument.of(MethodType.methodType(type.getType()).wrap().returnType())
                : type;
        Argument<?> first = results.putIfAbsent(name, boxed);
        require(
                first == null || boxed.equalsType(first),
                name,
                "it was called with the result " + first + " before, and now with " + type.getTypeName()
                        + ". One operation has one result, or a call would get what another place's body returned. Use one"
                        + " type, or give each place an operation name of its own");
        return binding;
    }

    private Bound of(String name, Argument<?> type) {
        Definition definition = new Definition(name, type);
        Bound known = bound.get(definition);
        if (known != null) {
            return known;
        }
        Bound binding = bind(definition); // outside the map's lock, because it may create a store
        Bound first = bound.putIfAbsent(definition, binding);
        return first == null ? binding : first;
    }

    private Bound bind(Definition definition) {
        String name = definition.name();
        require(
                OperationName.isKebabCase(name) && name.length() <= OperationName.MAX_LENGTH,
                name,
                "a name is kebab-case, like import-invoice, and at most " + OperationName.MAX_LENGTH
                        + " characters long, as it is a configuration key and a metric tag. What varies from call to call"
                        + " belongs into the key");
        require(
                declared.contains(name) || !others.contains(name),
                name,
                "an annotated method or a configured route has that name, and they would share their keys. Choose another"
                        + " name, or call that method");
        String reason = notReplayable(definition.resultType());
        require(
                reason == null,
                name,
                definition.resultType().getTypeName() + " cannot be recorded and replayed: " + reason);
        Bound binding = binder.bind(definition, codecs.codecFor(name, definition.resultType()));
        if (binding.operation().policy().onAbandoned() == OnAbandoned.RECONCILE) {
            throw new ConfigurationException(
                    "Operation '" + name + "' is called by hand and its onAbandoned is RECONCILE,"
                            + " but only annotated methods have @Reconciles methods. The body did not run. Set "
                            + OperationConfiguration.PREFIX + "." + name + ".on-abandoned: REFUSE.");
        }
        return binding;
    }

    private @Nullable String notReplayable(Argument<?> result) {
        Class<?> type = result.getType();
        if (type == Object.class) {
            return "nothing says what type a duplicate shall get. Name a concrete type, or Void.class";
        }
        if (SingleUseTypes.isType(type) || result.isReactive()) {
            return "it can be read once only, or is not there yet. Name the type of the value itself, and use executeAsync"
                    + " for one that comes later";
        }
        return parts(result)
                .map(this::notReplayable)
                .filter(Objects::nonNull)
                .findFirst()
                .orElseGet(() -> codecs.problemWith(result));
    }

    /** Returns the type arguments; an optional without one counts as an optional of Object. */
    private static Stream<Argument<?>> parts(Argument<?> result) {
        Argument<?>[] parts = result.getTypeParameters();
        return parts.length == 0 && result.isOptional() ? Stream.of(Argument.OBJECT_ARGUMENT) : Stream.of(parts);
    }

    private static void require(boolean fulfilled, String name, String problem) {
        if (!fulfilled) {
            throw new IllegalArgumentException(
                    "Idempotent operation '" + name + "' called by hand: " + problem + ". The body did not run.");
        }
    }
}
