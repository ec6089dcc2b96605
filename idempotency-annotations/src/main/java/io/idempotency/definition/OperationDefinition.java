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

    /**
     * The operation's name.
     *
     * @return never empty
     */
    String name();

    /**
     * What the key is unique in.
     *
     * @return the operation's name unless it shares a namespace
     */
    default String namespace() {
        return name();
    }

    /**
     * The annotated method, for messages.
     *
     * @return {@code package.Class.method(types)}
     */
    String origin();

    /**
     * The bean's method that this was generated from. It may be bound to no other one.
     *
     * @return {@code package.Class#method(package.Type,…)}, the class by its binary name; null where nothing was generated,
     *     for instance for calls by hand
     */
    default @Nullable String method() {
        return null;
    }

    /**
     * The annotated method: the bean's own, or one of an interface or a base class that it inherits.
     *
     * @return the same text for all who inherit one; null where nothing was generated
     */
    default @Nullable String declaration() {
        return null;
    }

    /**
     * Whether {@link IdempotentOperation#namespace()} is written down. Only then do beans that inherit the annotated method,
     * or are several of one class, have one operation.
     *
     * @return false when each has keys of its own
     */
    default boolean sharesKeys() {
        return false;
    }

    /**
     * Where the key comes from.
     *
     * @return never null
     */
    KeySource keySource();

    /**
     * Whether a client chose the key: it comes from a header of its request. Then it says nothing about the thing that is
     * done, and another client may send the same text for something else.
     *
     * @return false when the application chose it
     */
    default boolean clientsKey() {
        return keySource() == KeySource.HEADER;
    }

    /**
     * The key in its canonical text form (see {@link CanonicalKey}), with {@link KeySource#PARAMETERS} only.
     *
     * @param arguments the call's arguments, in order
     * @return null when any part of the key is null, empty or blank
     */
    default @Nullable String key(@Nullable Object[] arguments) {
        return null;
    }

    /**
     * How the annotation describes its key, for messages.
     *
     * @return for instance {@code request.orderId}; empty when the key is not read from the parameters
     */
    default String keyDescription() {
        return "";
    }

    /**
     * Writes the canonical form of the arguments.
     *
     * @param arguments the call's arguments, in order
     * @param writer receives one property per fingerprinted parameter
     */
    void fingerprint(@Nullable Object[] arguments, FingerprintWriter writer);

    /**
     * The type of the value that is recorded: the return type, or what an asynchronous return type carries.
     *
     * @return {@code void} for methods without a result
     */
    Argument<?> resultType();

    /**
     * The policies that the annotation sets, by the name of its member, as texts: durations in ISO-8601, enums and booleans
     * by name. What it leaves out comes from the configuration.
     *
     * @return without a member that is left out
     */
    default Map<String, String> attributes() {
        return Map.of();
    }

    /**
     * {@link IdempotentOperation#noEffectFor()}.
     *
     * @return exception types, possibly none
     */
    default List<Class<? extends Throwable>> noEffectFor() {
        return List.of();
    }

    /**
     * {@link IdempotentOperation#finalFor()}.
     *
     * @return exception types, possibly none
     */
    default List<Class<? extends Throwable>> finalFor() {
        return List.of();
    }

    /**
     * {@link IdempotentOperation#unknownFor()}.
     *
     * @return exception types, possibly none
     */
    default List<Class<? extends Throwable>> unknownFor() {
        return List.of();
    }

    /**
     * {@link IdempotentOperation#transactional()}.
     *
     * @return true for one shared transaction
     */
    default boolean transactional() {
        return false;
    }
}
