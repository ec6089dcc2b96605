package io.idempotency.http.client;

import io.idempotency.IdempotencyContext;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One logical call and its one key, which is settled when the first attempt needs it. Thread-safe. */
final class Intent {

    private final String name;
    private final Object arguments;
    private final Optional<IdempotencyContext> operation;
    private @Nullable String key;

    private Intent(String name, Object arguments, Optional<IdempotencyContext> operation, @Nullable String key) {
        this.name = name;
        this.arguments = arguments;
        this.operation = operation;
        this.key = key;
    }

    /** A call whose key the application chose. */
    static Intent explicit(String name, String key) {
        return new Intent(name, key, Optional.empty(), KeyText.checked(name, key));
    }

    /** A call whose key is derived from the running operation, or generated outside of one. */
    static Intent open(String name, Object arguments) {
        return new Intent(name, arguments, IdempotencyContext.find(), null);
    }

    String name() {
        return name;
    }

    /** Reactive callers may come into an operation only when they subscribe, which is when this is asked. */
    synchronized String key() {
        if (key == null) {
            key = operation.or(IdempotencyContext::find).map(this::derived).orElseGet(IdempotencyKeys::next);
        }
        return key;
    }

    private String derived(IdempotencyContext running) {
        return running.deriveKey(name, arguments);
    }
}
