package io.idempotency.runtime.intercept;

import io.idempotency.IdempotentOperation;
import io.idempotency.InvalidIdempotencyKeyException;
import io.idempotency.MissingIdempotencyKeyException;
import io.idempotency.definition.CanonicalKey;
import io.idempotency.definition.KeyExpression;
import io.idempotency.definition.KeySource;
import io.idempotency.definition.OperationDefinition;
import io.idempotency.runtime.RequestKeySource;
import io.idempotency.runtime.call.CallFingerprint;
import io.idempotency.runtime.codec.Fingerprints;
import io.idempotency.runtime.config.ExpressionKey;
import io.idempotency.runtime.config.KeyPolicy;
import io.idempotency.runtime.config.KeyScope;
import io.idempotency.runtime.config.OperationBinder.Bound;
import io.idempotency.runtime.http.IdempotencyHeaders;
import io.micronaut.aop.MethodInvocationContext;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.core.bind.annotation.Bindable;
import io.micronaut.core.naming.NameUtils;
import io.micronaut.core.type.Argument;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Determines key and fingerprint of a call, before the body can change the arguments. */
@Singleton
record CallIdentity(
        Fingerprints fingerprints,
        @io.micronaut.core.annotation.Nullable RequestKeySource requestKey,
        KeyScope scope) {

    /** By name, because an application without HTTP does not have the annotations. */
    private static final List<String> SAFE_ROUTES = Stream.of("Get", "Head", "Options", "Trace")
            .map("io.micronaut.http.annotation."::concat)
            .toList();

    /** Returns a call's record and fingerprint; empty when it has no key and needs none. */
    Optional<KeyScope.Scoped> of(Bound bound, MethodInvocationContext<Object, Object> context) {
        OperationDefinition definition = bound.definition();
        boolean safe = definition.keySource() == KeySource.HEADER && requestKey != null && !requestKey.wantsKey();
        if (safe && SAFE_ROUTES.stream().anyMatch(context::hasStereotype)) {
            return Optional.empty(); // other routes' methods keep their protection when a safe request calls them
        }
        Object[] arguments = definition.clientsKey() && requestKey != null
                ? unquoted(bound, requestKey, context)
                : context.getParameterValues();
        CallFingerprint fingerprint = fingerprints.of(definition, arguments);
        return of(bound, key(bound, context, arguments, fingerprint), fingerprint);
    }

    /** Returns the arguments with the request's key, checked and unquoted, in place of one that was bound to its header. */
    private static Object[] unquoted(
            Bound bound, RequestKeySource requestKey, MethodInvocationContext<Object, Object> context) {
        Object[] arguments = context.getParameterValues().clone();
        Argument<?>[] parameters = context.getArguments();
        for (int i = 0; i < arguments.length; i++) {
            Object text = arguments[i] instanceof Optional<?> optional ? optional.orElse(null) : arguments[i];
            String sent = requestKey.boundKey(
                    bound.definition().name(), bound.keys().format(), headerOf(parameters[i]), text);
            if (sent != null) {
                arguments[i] = text == arguments[i] ? sent : Optional.of(sent);
            }
        }
        return arguments;
    }

    Optional<KeyScope.Scoped> of(Bound bound, @Nullable String key, CallFingerprint fingerprint) {
        OperationDefinition definition = bound.definition();
        if (key == null) {
            if (bound.keys().required()) {
                throw missing(definition);
            }
            return Optional.empty();
        }
        return Optional.of(scope.of(definition.name(), definition.namespace(), key, fingerprint, bound.keys()));
    }

    private @Nullable String key(
            Bound bound,
            MethodInvocationContext<Object, Object> context,
            Object[] arguments,
            CallFingerprint fingerprint) {
        OperationDefinition definition = bound.definition();
        return switch (definition.keySource()) {
            case PARAMETERS -> written(definition, arguments);
            case EXPRESSION -> CanonicalKey.text(evaluated(definition, context));
            case HEADER ->
                requestKey == null
                        ? null
                        : CanonicalKey.text(requestKey.currentKey(
                                definition.name(), bound.keys().format()));
            case ARGUMENTS -> Fingerprints.keyOf(fingerprint);
        };
    }

    private static String headerOf(Argument<?> parameter) {
        return parameter
                .getAnnotationMetadata()
                .stringValue(Bindable.class) // as @Header says it, too
                .orElseGet(() -> NameUtils.hyphenate(parameter.getName()));
    }

    private static @Nullable String written(OperationDefinition definition, Object[] arguments) {
        try {
            return definition.key(arguments);
        } catch (ArithmeticException e) { // for instance 100e2147483647, which cannot be written without trailing zeros
            throw new InvalidIdempotencyKeyException(
                    definition.name(),
                    null,
                    "its key is a number with too large an exponent. The body did not run. Pass another one.",
                    e);
        }
    }

    private static @Nullable String evaluated(
            OperationDefinition definition, MethodInvocationContext<Object, Object> context) {
        try {
            return ExpressionKey.of(KeyExpression.evaluate(context, IdempotentOperation.class));
        } catch (RuntimeException e) { // the expression may call anything
            throw new InvalidIdempotencyKeyException(
                    definition.name(),
                    null,
                    "the expression of its key cannot be evaluated for these arguments. The body did not run. See the"
                            + " cause; write the expression so that it permits such arguments, or pass others.",
                    e);
        }
    }

    private String header(OperationDefinition definition) {
        return requestKey == null ? IdempotencyHeaders.IDEMPOTENCY_KEY : requestKey.header(definition.name());
    }

    private MissingIdempotencyKeyException missing(OperationDefinition definition) {
        String what = definition.keySource() == KeySource.HEADER
                ? "the request carries no " + header(definition) + " header. The body did not run. Send the header"
                : "its key" + (definition.keyDescription().isEmpty() ? "" : " '" + definition.keyDescription() + "'")
                        + " is null, empty or blank. The body did not run. Pass a key";
        return KeyPolicy.missing(definition.name(), what);
    }
}
