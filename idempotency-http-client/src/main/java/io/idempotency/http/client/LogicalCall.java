package io.idempotency.http.client;

import io.idempotency.IdempotencyContext;
import io.idempotency.InvalidIdempotencyKeyException;
import io.idempotency.MissingIdempotencyKeyException;
import io.micronaut.core.propagation.PropagatedContextElement;
import io.micronaut.core.util.SupplierUtil;
import io.micronaut.http.HttpResponse;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** One logical call: its one key, which is chosen when the first attempt needs it, and what became of its attempts. Thread-safe. */
final class LogicalCall {

    private static final Pattern PRINTABLE = Pattern.compile("[ -~]{1,255}");

    final String name;
    final Supplier<String> key;

    /** The keys that were sent, by request. */
    private final Map<String, String> sent = new ConcurrentHashMap<>();

    /** Whether a request took the key: only then is another attempt the same call. */
    volatile boolean keyed;

    /** Whether an attempt may have run, for whichever subscriber or caller. */
    volatile boolean mayHaveRun;

    /** Whether the last attempt's request was answered, with a redirect. */
    volatile boolean redirected;

    /** The error that answered the last attempt; null for none. */
    volatile @Nullable HttpResponse<?> refused;

    private LogicalCall(String name, Supplier<String> key) {
        this.name = name;
        this.key = key;
    }

    void begin() {
        redirected = false;
        refused = null;
    }

    /** Returns the key for a request. */
    String taken() {
        keyed = true;
        return key.get();
    }

    /** Notes the key of a request before it is sent; refuses another one than an earlier attempt's. */
    void sends(String request, String text) {
        keyed = true;
        String first = sent.putIfAbsent(request, text);
        if (first != null && !first.equals(text)) {
            throw new IllegalStateException(
                    "'" + name + "' was sent with one idempotency key, and now with another one,"
                            + " which a filter or the application has set. That attempt was not sent, because the called system would"
                            + " take it for a new call. Set one key for all attempts of a call.");
        }
    }

    /** Returns a call with the application's key. Rejects a key that no server would take before anything is sent. */
    static LogicalCall explicit(String name, String key) {
        if (key.isBlank()) {
            String problem = "its key is null, empty or blank. Nothing was sent. Pass a key.";
            throw new MissingIdempotencyKeyException(name, null, problem, new UnsentCallException());
        }
        if (!PRINTABLE.matcher(key).matches()) {
            String problem =
                    "its key is not 1 to 255 printable ASCII characters. Nothing was sent. Pass such a key, for"
                            + " instance a UUID.";
            throw new InvalidIdempotencyKeyException(name, null, problem, new UnsentCallException());
        }
        return new LogicalCall(name, () -> key);
    }

    /** Returns a call whose key is derived from the running operation, or generated outside of one. */
    static LogicalCall open(String name, Supplier<Content> intent) {
        Optional<IdempotencyContext> operation = IdempotencyContext.find();
        Optional<Content> copy = operation.map(running -> intent.get()); // before the application changes it
        // reactive callers may enter an operation only when they subscribe
        return new LogicalCall(
                name,
                SupplierUtil.memoized(() -> operation
                        .or(IdempotencyContext::find)
                        .map(running -> running.deriveKey(name, copy.orElseGet(intent)))
                        .orElseGet(IdempotencyKeys::next)));
    }

    /**
     * A copy of what an application may fill again for another intent: collections, maps and arrays. Finds nothing by
     * hash, because the application may change the beans in it.
     */
    record Content(List<@Nullable Object> items, boolean ordered) {

        Content(Collection<?> items) {
            this(items.stream().<@Nullable Object>map(Content::copied).toList(), !(items instanceof Set));
        }

        static Content of(List<?> values) {
            return new Content(
                    values.stream().<@Nullable Object>map(Content::held).toList(), true);
        }

        private static @Nullable Object held(@Nullable Object value) {
            try {
                return copied(value);
            } catch (RuntimeException | StackOverflowError e) {
                return value; // it holds itself, or cannot be read now: it counts as a bean does
            }
        }

        private static @Nullable Object copied(@Nullable Object value) {
            if (value instanceof Object[] items) {
                return new Content(Arrays.asList(items));
            } else if (value instanceof byte[] bytes) {
                return ByteBuffer.wrap(bytes.clone());
            } else if (value instanceof Collection<?> items) {
                return new Content(items);
            } else if (value instanceof Map<?, ?> map) {
                return new Content(map.entrySet());
            } else if (value instanceof Map.Entry<?, ?> entry) {
                return new Content(Arrays.asList(entry.getKey(), entry.getValue()));
            }
            return value != null && value.getClass().isArray() ? Arrays.deepToString(new Object[] {value}) : value;
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Content content
                    && items.size() == content.items.size()
                    && (items.equals(content.items) // first, since it is fast
                            || !(ordered || content.ordered)
                                    && items.containsAll(content.items)
                                    && content.items.containsAll(items));
        }

        @Override
        public int hashCode() {
            return 0;
        }
    }

    /** Marks a refusal that stopped a call to another system before it was sent. */
    static final class UnsentCallException extends RuntimeException {

        private UnsentCallException() {
            super("the call to the other system was not sent", null, false, false);
        }
    }

    /**
     * The key of the one request that a method sends through a low-level client.
     *
     * @param target the address of every attempt's request
     * @param rest the query and body of this attempt's request, which may have a time or a signature
     */
    record Scope(LogicalCall intent, String service, AtomicReference<String> target, AtomicReference<Content> rest)
            implements PropagatedContextElement {

        Scope(LogicalCall intent, String service) {
            this(intent, service, new AtomicReference<>(), new AtomicReference<>());
        }

        Scope ofAttempt() {
            return new Scope(intent, service, target, new AtomicReference<>());
        }

        boolean covers(String serviceId) {
            return service.isEmpty() || service.equals(serviceId);
        }

        /** Returns the key for a request. One to another address than the first, or with another query or body, is refused. */
        String keyFor(String request, Content sentRest) {
            String first = target.compareAndExchange(null, request);
            Content firstRest = rest.compareAndExchange(null, sentRest);
            if (first != null && !first.equals(request) || firstRest != null && !firstRest.equals(sentRest)) {
                throw new IllegalStateException(
                        "'" + intent.name + "' sends one idempotency key, which went with " + first
                                + ", and now sends another request, " + request
                                + " (their queries and bodies count). That one was not sent, since it would share the key. Give each request a"
                                + " method of its own, or name the client whose requests carry the key:"
                                + " @SendsIdempotencyKey(service = …).");
            }
            return intent.taken();
        }
    }
}
