package io.idempotency.http.client;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What is known of an annotated method before any call.
 *
 * @param name what its calls are named inside an operation
 * @param sends whether its requests carry a key
 * @param declarative whether it is a client's own method, whose request it makes itself
 * @param service the client's id, empty when it is not known
 * @param hasExpression whether the annotation gives the key
 * @param keyParameter where among the parameters the key is, null when it is none of them
 * @param intent which parameters tell one intent from another
 * @param retry how often and how slowly it is sent again
 */
record KeyedMethod(
        String name,
        boolean sends,
        boolean declarative,
        String service,
        boolean hasExpression,
        @Nullable Integer keyParameter,
        List<Integer> intent,
        RetryPolicy retry) {

    /** The parameters that tell one intent from another; equal when their values are. */
    Object intentOf(@Nullable Object[] arguments) {
        return intent.stream().map(i -> Value.of(arguments[i])).toList();
    }

    /** A value that is compared by what it holds, also where that is an array. */
    private record Value(@Nullable Object held) {
        static Value of(@Nullable Object held) {
            return new Value(held);
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Value value && java.util.Objects.deepEquals(held, value.held);
        }

        @Override
        public int hashCode() {
            return 0; // never a key of a map
        }
    }

    /** The text of the parameter that is the key. */
    Optional<String> keyOf(@Nullable Object[] arguments) {
        return Optional.ofNullable(keyParameter).map(i -> arguments[i]).map(Object::toString);
    }
}
