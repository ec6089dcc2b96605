package io.idempotency.http.client;

import io.idempotency.IdempotencyContext;
import io.idempotency.InvalidIdempotencyKeyException;
import io.idempotency.MissingIdempotencyKeyException;
import io.micronaut.core.propagation.PropagatedContextElement;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** One logical call and its one key, which is settled when the first attempt needs it. Thread-safe. */
final class LogicalCall {

    private static final int MAX_LENGTH = 255;
    private static final char FIRST_PRINTABLE = 0x20;
    private static final char LAST_PRINTABLE = 0x7e;

    private final String name;
    private final Object arguments;
    private final Optional<IdempotencyContext> operation;
    private @Nullable String key;

    private LogicalCall(String name, Object arguments, Optional<IdempotencyContext> operation, @Nullable String key) {
        this.name = name;
        this.arguments = arguments;
        this.operation = operation;
        this.key = key;
    }

    /** A call whose key the application chose. A key that no server would take is refused before anything is sent. */
    static LogicalCall explicit(String name, String key) {
        if (key.isBlank()) {
            throw new MissingIdempotencyKeyException(
                    name,
                    null,
                    "its key is null, empty or blank. Nothing was sent. Pass a key.",
                    new UnsentCallException());
        }
        if (key.length() > MAX_LENGTH || !key.chars().allMatch(c -> c >= FIRST_PRINTABLE && c <= LAST_PRINTABLE)) {
            throw new InvalidIdempotencyKeyException(
                    name,
                    null,
                    "its key is not 1 to " + MAX_LENGTH + " printable ASCII characters. Nothing was sent. Pass such a"
                            + " key, for instance a UUID.",
                    new UnsentCallException());
        }
        return new LogicalCall(name, key, Optional.empty(), key);
    }

    /** A call whose key is derived from the running operation, or generated outside of one. */
    static LogicalCall open(String name, Object arguments) {
        return new LogicalCall(name, arguments, IdempotencyContext.find(), null);
    }

    String name() {
        return name;
    }

    /** The key. Reactive callers may enter an operation only when they subscribe, which is when this is asked. */
    synchronized String key() {
        if (key == null) {
            key = operation
                    .or(IdempotencyContext::find)
                    .map(running -> running.deriveKey(name, arguments))
                    .orElseGet(IdempotencyKeys::next);
        }
        return key;
    }

    /** The cause of a refusal that stopped a call to another system before it was sent. */
    static final class UnsentCallException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        UnsentCallException() {
            super("the call to the other system was not sent", null, false, false);
        }
    }

    /** The key of the one request that a method sends through a low-level client. */
    static final class Scope implements PropagatedContextElement {

        private final LogicalCall intent;
        private final String service;
        private final AtomicReference<String> target = new AtomicReference<>();

        Scope(LogicalCall intent, String service) {
            this.intent = intent;
            this.service = service;
        }

        boolean covers(String serviceId) {
            return service.isEmpty() || service.equals(serviceId);
        }

        /** The key for a request. Every attempt goes to the same place; a request to another one is another intent. */
        String keyFor(String request) {
            String first = target.compareAndExchange(null, request);
            if (first != null && !first.equals(request)) {
                throw new IllegalStateException(
                        "'" + intent.name() + "' sends one idempotency key, which went with " + first
                                + ", and now sends another request, " + request
                                + ". That one was not sent, since it would share the key. Give each request a method of its own, or name"
                                + " the client whose requests carry the key: @SendsIdempotencyKey(service = …).");
            }
            return intent.key();
        }
    }
}
