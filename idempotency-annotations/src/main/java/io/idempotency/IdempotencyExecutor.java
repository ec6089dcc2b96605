package io.idempotency;

import io.micronaut.core.type.Argument;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Runs what {@link IdempotentOperation} protects by hand, for code that is no bean method of its own: the same engine, the same
 * stores, the same promise. Inject it. Thread-safe.
 *
 * <p>Policies come from {@code idempotency.operations.<name>.*}, then {@code idempotency.*}; an operation that is only called by
 * hand has {@code programmatic: true} there, so that misspelt names are found. The body may use {@link IdempotencyContext#current()}.
 *
 * <p>Before the body runs, these end a call: {@link MissingIdempotencyKeyException} without a key; every other
 * {@link IdempotencyException} as for annotated methods; {@link IllegalArgumentException} for a name that is not kebab-case or
 * belongs to an annotated operation or a route, for a type that cannot be replayed, and for arguments that JSON cannot say;
 * Micronaut's {@code ConfigurationException} for policies that contradict each other.
 */
public interface IdempotencyExecutor {

    /**
     * What runs at most once for a key.
     *
     * @param <T> its result
     * @param <E> the checked exception it may throw; none for most
     */
    @FunctionalInterface
    interface Body<T extends @Nullable Object, E extends Exception> {
        /** Runs it. What it throws goes to the first caller as it is. */
        T run() throws E;
    }

    /**
     * What is started at most once for a key.
     *
     * @param <T> its result
     */
    @FunctionalInterface
    interface AsyncBody<T extends @Nullable Object> {
        /** Starts it. What it throws counts as a failed stage. */
        CompletionStage<? extends T> start() throws Exception;
    }

    /**
     * Executes a body on the calling thread, unless the key is known already.
     *
     * @param operation the operation's name: kebab-case, at most 100 characters, the same for every call
     * @param key the key; null, empty or blank is refused, or runs unprotected with {@code key-required: false}
     * @param arguments what the body depends on, for the JSON mapper; a call with the same key and others is refused. Null for none
     * @param type what the result is recorded and read back as; {@link Argument#VOID} for none
     * @param body what to run
     * @param <T> the result
     * @param <E> what the body may throw
     * @return the body's result, or the recorded one
     * @throws E the body's own exception, to the call that ran it
     */
    <T extends @Nullable Object, E extends Exception> T execute(
            String operation,
            @Nullable String key,
            @Nullable Object arguments,
            Argument<T> type,
            Body<? extends T, E> body)
            throws E;

    /** {@link #execute(String, String, Object, Argument, Body)} for a result without type arguments, {@code Void.class} for none. */
    default <T extends @Nullable Object, E extends Exception> T execute(
            String operation,
            @Nullable String key,
            @Nullable Object arguments,
            Class<T> type,
            Body<? extends T, E> body)
            throws E {
        return execute(operation, key, arguments, Argument.of(type), body);
    }

    /**
     * {@link #execute(String, String, Object, Argument, Body)} where the arguments are the key as well: two calls with equal
     * arguments are one. Null is refused as a missing key is.
     */
    <T extends @Nullable Object, E extends Exception> T executeByArguments(
            String operation, @Nullable Object arguments, Argument<T> type, Body<? extends T, E> body) throws E;

    /** {@link #executeAsync(String, String, Object, Argument, AsyncBody)} where the arguments are the key as well. */
    <T extends @Nullable Object> CompletionStage<T> executeAsyncByArguments(
            String operation, @Nullable Object arguments, Argument<T> type, AsyncBody<? extends T> body);

    /**
     * Starts a body, unless the key is known already. The calling thread waits neither for the body nor for the store.
     *
     * @param body what to start; it may be called on another thread, with the caller's propagated context and MDC
     * @return the body's result or the recorded one, or fails with what {@link #execute} throws. Cancelling it does not stop the body
     */
    <T extends @Nullable Object> CompletionStage<T> executeAsync(
            String operation,
            @Nullable String key,
            @Nullable Object arguments,
            Argument<T> type,
            AsyncBody<? extends T> body);

    /** {@link #executeAsync(String, String, Object, Argument, AsyncBody)} for a result without type arguments, or none. */
    default <T extends @Nullable Object> CompletionStage<T> executeAsync(
            String operation,
            @Nullable String key,
            @Nullable Object arguments,
            Class<T> type,
            AsyncBody<? extends T> body) {
        return executeAsync(operation, key, arguments, Argument.of(type), body);
    }
}
