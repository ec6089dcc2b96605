package io.idempotency.definition;

import io.idempotency.IdempotentOperation;
import io.micronaut.core.type.Argument;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Everything about one {@link IdempotentOperation} method that is known at compile time. The processor generates one
 * final, stateless implementation per method; all its methods are thread-safe and read their arguments only.
 */
public interface OperationDefinition {

    /** The operation's name, never empty. */
    String name();

    /** What the key is unique in: the operation's name unless it shares a namespace. */
    default String namespace() {
        return name();
    }

    /** The annotated method, for messages: {@code package.Class.method(types)}. */
    String origin();

    /**
     * The bean's method that this was generated from, and may be bound to: {@code package.Class#method(package.Type,…)}, the class
     * by its binary name; null where nothing was generated, for instance for calls by hand.
     */
    default @Nullable String method() {
        return null;
    }

    /**
     * The annotated method: the bean's own, or one of an interface or a base class that it inherits, and then the same text for
     * every bean that inherits it; null where nothing was generated.
     */
    default @Nullable String declaration() {
        return null;
    }

    /**
     * Whether {@link IdempotentOperation#namespace()} is written down. Only then do beans that inherit the annotated method,
     * or are several of one class, have one operation; otherwise each has keys of its own.
     */
    default boolean sharesKeys() {
        return false;
    }

    KeySource keySource();

    /**
     * Whether a client chose the key, in a header of its request, and not the application. Then the key says nothing about the
     * thing that is done, and another client may send the same text for something else.
     */
    default boolean clientsKey() {
        return keySource() == KeySource.HEADER;
    }

    /**
     * The key in its canonical text form (see {@link CanonicalKey}), with {@link KeySource#PARAMETERS} only; null when any part of
     * it is null, empty or blank.
     */
    default @Nullable String key(@Nullable Object[] arguments) {
        return null;
    }

    /** How the annotation describes its key, for messages: {@code request.orderId}; empty when no parameter is the key. */
    default String keyDescription() {
        return "";
    }

    /** Writes the canonical form of the arguments. */
    void fingerprint(@Nullable Object[] arguments, FingerprintWriter writer);

    /**
     * The type of the value that is recorded: the return type, or what an asynchronous return type carries; {@code void} for
     * methods without a result.
     */
    Argument<?> resultType();

    /**
     * The policies that the annotation sets, by the name of its member, as texts: durations in ISO-8601, enums and booleans
     * by name. A member that the annotation leaves out is not here: its value comes from the configuration.
     */
    default Map<String, String> attributes() {
        return Map.of();
    }

    /** {@link IdempotentOperation#noEffectFor()}. */
    default List<Class<? extends Throwable>> noEffectFor() {
        return List.of();
    }

    /** {@link IdempotentOperation#finalFor()}. */
    default List<Class<? extends Throwable>> finalFor() {
        return List.of();
    }

    /** {@link IdempotentOperation#unknownFor()}. */
    default List<Class<? extends Throwable>> unknownFor() {
        return List.of();
    }

    /** {@link IdempotentOperation#transactional()}. */
    default boolean transactional() {
        return false;
    }
}
