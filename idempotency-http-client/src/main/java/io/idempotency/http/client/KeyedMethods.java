package io.idempotency.http.client;

import io.idempotency.IdempotencyKey;
import io.idempotency.IdempotentOperation;
import io.idempotency.NotFingerprinted;
import io.idempotency.SendsIdempotencyKey;
import io.idempotency.definition.KeyExpression;
import io.micronaut.aop.MethodInvocationContext;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.annotation.AnnotationValue;
import io.micronaut.core.type.Argument;
import io.micronaut.http.annotation.CustomHttpMethod;
import io.micronaut.http.annotation.HttpMethodMapping;
import io.micronaut.http.client.HttpClient;
import io.micronaut.http.client.annotation.Client;
import io.micronaut.inject.ExecutableMethod;
import jakarta.inject.Singleton;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads each annotated method once. */
@Singleton
@Requires(classes = HttpClient.class)
final class KeyedMethods {

    /** RFC 9110, section 9.2.1. */
    static final Set<String> SAFE = Set.of("GET", "HEAD", "OPTIONS", "TRACE");

    private static final String CONTINUATION = "kotlin.coroutines.Continuation";

    private final ClientPolicies policies;
    private final Map<ExecutableMethod<?, ?>, Keyed> known = new ConcurrentHashMap<>();

    KeyedMethods(ClientPolicies policies) {
        this.policies = policies;
    }

    /**
     * What is known of an annotated method before any call.
     *
     * @param name the name of its calls inside an operation
     * @param sends whether its requests carry a key
     * @param declarative whether it is a client's own method, whose request it makes itself
     * @param service the client's id, empty when it is not known
     * @param intent makes the intent of a call
     * @param retry whether and when it is sent again
     */
    record Keyed(
            String name,
            boolean sends,
            boolean declarative,
            String service,
            Function<MethodInvocationContext<?, ?>, LogicalCall> intent,
            RetryPolicy retry) {}

    /** The parameters that tell one intent from another; equal when their values are, also those of arrays. */
    @SuppressWarnings("ArrayRecordComponent") // compared by content
    private record Values(@Nullable Object[] held) {
        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Values values && Arrays.deepEquals(held, values.held);
        }

        @Override
        public int hashCode() {
            return 0; // the application may change its arguments
        }
    }

    Keyed of(ExecutableMethod<?, ?> method) {
        Keyed marked = known.get(method);
        return marked != null ? marked : known.computeIfAbsent(method, this::read);
    }

    private Keyed read(ExecutableMethod<?, ?> method) {
        boolean declarative = method.hasStereotype(Client.class);
        String service = method.stringValue(
                        declarative ? Client.class : SendsIdempotencyKey.class, declarative ? "value" : "service")
                .orElse("");
        String name = method.stringValue(SendsIdempotencyKey.class)
                .filter(written -> !written.isEmpty())
                .orElse(method.getDeclaringType().getName() + "#" + method.getMethodName());
        boolean sends = !declarative || carriesKey(method);
        return new Keyed(name, sends, declarative, service, intents(name, method), policies.retryOf(method, service));
    }

    private static Function<MethodInvocationContext<?, ?>, LogicalCall> intents(
            String name, ExecutableMethod<?, ?> method) {
        AnnotationValue<SendsIdempotencyKey> annotation =
                method.findAnnotation(SendsIdempotencyKey.class).orElse(null);
        if (annotation != null && annotation.getValues().containsKey("key")) {
            return call -> LogicalCall.explicit(
                    name, Objects.toString(KeyExpression.evaluate(call, SendsIdempotencyKey.class), ""));
        }
        Integer key = parameters(method, KeyedMethods::isKey).findFirst().orElse(null);
        if (key != null && !method.hasStereotype(IdempotentOperation.class)) {
            return call -> LogicalCall.explicit(name, Objects.toString(call.getParameterValues()[key], ""));
        }
        List<Integer> intent = parameters(method, KeyedMethods::isOfIntent).toList();
        return call -> LogicalCall.open(
                name,
                new Values(
                        intent.stream().map(i -> call.getParameterValues()[i]).toArray()));
    }

    /** An annotated method is meant itself; of an annotated type only the methods that need a key. */
    private boolean carriesKey(ExecutableMethod<?, ?> method) {
        Optional<String> sent = httpMethod(method);
        return sent.isPresent()
                && !SAFE.contains(sent.get())
                && (method.hasDeclaredAnnotation(SendsIdempotencyKey.class) || policies.carriesKey(sent.get()));
    }

    private static Optional<String> httpMethod(ExecutableMethod<?, ?> method) {
        return method.stringValue(CustomHttpMethod.class, "method")
                .or(() -> method.getAnnotationNameByStereotype(HttpMethodMapping.class)
                        .map(name -> name.substring(name.lastIndexOf('.') + 1).toUpperCase(Locale.ROOT)));
    }

    private static Stream<Integer> parameters(ExecutableMethod<?, ?> method, Predicate<Argument<?>> wanted) {
        Argument<?>[] parameters = method.getArguments();
        return IntStream.range(0, parameters.length)
                .filter(i -> wanted.test(parameters[i]))
                .boxed();
    }

    private static boolean isKey(Argument<?> parameter) {
        return parameter.getAnnotationMetadata().hasStereotype(IdempotencyKey.class);
    }

    private static boolean isOfIntent(Argument<?> parameter) {
        return !parameter.getAnnotationMetadata().hasStereotype(NotFingerprinted.class)
                && !CONTINUATION.equals(parameter.getType().getName());
    }
}
