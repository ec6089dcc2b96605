package io.idempotency.processor.rule;

import io.idempotency.IdempotencyKey;
import io.idempotency.IdempotentOperation;
import io.idempotency.SendsIdempotencyKey;
import io.idempotency.processor.model.BoundType;
import io.idempotency.processor.model.Durations;
import io.idempotency.processor.model.RuleId;
import io.idempotency.processor.plan.KeyPlan;
import io.micronaut.inject.ast.ClassElement;
import io.micronaut.inject.ast.Element;
import io.micronaut.inject.ast.ElementQuery;
import io.micronaut.inject.ast.MethodElement;
import io.micronaut.inject.ast.ParameterElement;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Checks a method that sends keys: a request carries the key; the key is one text, has one source and one place, and
 * differs between calls; and there is one kind of retries.
 */
public record SenderRule(ClassElement owner, MethodElement method, Problems problems) {

    private static final List<String> TEXTS = List.of(
            "java.lang.CharSequence",
            "java.util.UUID",
            "java.lang.Enum",
            "java.lang.Byte",
            "java.lang.Short",
            "java.lang.Integer",
            "java.lang.Long",
            "java.math.BigInteger");
    private static final List<String> SAFE = List.of("GET", "HEAD", "OPTIONS", "TRACE");
    private static final String HTTP = "io.micronaut.http.annotation.";

    public static void check(ClassElement type, Problems problems) {
        Stream.of("value", "key", "service")
                .filter(it -> type.hasDeclaredStereotype(SendsIdempotencyKey.class)
                        && type.stringValue(SendsIdempotencyKey.class, it).isPresent()
                        && (type.isInterface() || !it.equals("service")))
                .forEach(it -> problems.of(RuleId.SENT_KEY, type)
                        .say(type.getSimpleName() + ": " + (it.equals("value") ? "the name" : it)
                                + " in @SendsIdempotencyKey is one method's. Move it to the method."));
        type.getEnclosedElements(
                        ElementQuery.ALL_METHODS.annotated(method -> method.hasStereotype(SendsIdempotencyKey.class)))
                .forEach(method -> problems.reading(method, () -> new SenderRule(type, method, problems).check()));
    }

    private void check() {
        boolean isMarkedItself = method.hasDeclaredStereotype(SendsIdempotencyKey.class);
        boolean isDeclarative = owner.hasStereotype("io.micronaut.http.client.annotation.Client");
        String httpMethod = httpMethod();
        // an operation's @IdempotencyKey is for its own key
        List<ParameterElement> keys = Stream.of(method.getParameters())
                .filter(parameter -> !method.hasStereotype(IdempotentOperation.class)
                        && parameter.hasStereotype(IdempotencyKey.class))
                .toList();
        if (isMarkedItself && isDeclarative) {
            request(httpMethod);
        }
        if (isMarkedItself && (method.isPrivate() || method.isStatic() || method.isFinal())) {
            error("it must not be private, static or final, or its calls are not intercepted: no key would be sent.");
        }
        once(keys);
        keys.forEach(this::asText);
        if (isDeclarative && !httpMethod.isEmpty() && !SAFE.contains(httpMethod)) {
            besideTheBody(keys);
        }
        boolean isExpression =
                KeyPlan.expression(method, SendsIdempotencyKey.class).isPresent();
        if (isMarkedItself && sets("key") && !isExpression) {
            error("key = \""
                    + method.stringValue(SendsIdempotencyKey.class, "key").orElse("")
                    + "\" is the same for every call, which would make one intent of all of them. Write an expression"
                    + " over the parameters, for instance key = \"#{ order.id }\".");
        }
        KeyPlan.doubt(method, SendsIdempotencyKey.class).ifPresent(this::warning);
        retries();
    }

    /** Returns the HTTP method of a declarative client's method; empty if it makes no request. */
    private String httpMethod() {
        return method.stringValue(HTTP + "CustomHttpMethod", "method")
                .or(() -> method.getAnnotationNameByStereotype(HTTP + "HttpMethodMapping")
                        .map(name -> name.substring(name.lastIndexOf('.') + 1).toUpperCase(Locale.ROOT)))
                .orElse("");
    }

    private boolean sets(String attribute) {
        return method.isPresent(SendsIdempotencyKey.class, attribute);
    }

    /** Checks that a request carries the key. */
    private void request(String httpMethod) {
        if (httpMethod.isEmpty()) {
            error("this method of a client makes no request of its own, so no key would be sent. Put"
                    + " @SendsIdempotencyKey on the methods that it calls.");
        }
        if (SAFE.contains(httpMethod)) {
            warning(httpMethod + " is safe: it can be repeated as it is, and no key is sent with it. Remove"
                    + " @SendsIdempotencyKey.");
        }
        if (sets("service")) {
            error("service = … is for methods that call a low-level client; this one is its client's own. Remove it.");
        }
    }

    /** Checks that the key has one source. */
    private void once(List<ParameterElement> keys) {
        String names = keys.stream().map(ParameterElement::getName).collect(Collectors.joining(", "));
        if (keys.size() > 1) {
            error(
                    "one request carries one key, and " + names
                            + " are each marked with @IdempotencyKey. Mark one, or write key = \"#{…}\" of a method that joins them.");
        } else if (!keys.isEmpty() && sets("key")) {
            error("the key is given twice, as key = … and by @IdempotencyKey on " + names + ". Remove one of them.");
        }
    }

    /** Checks that the key has one text. */
    private void asText(ParameterElement key) {
        BoundType type = BoundType.of(key.getGenericType(), Map.of());
        if (!type.isAssignableToAny(TEXTS) && !TEXTS.contains(type.boxedSourceName())) {
            report(
                    RuleId.SENT_KEY,
                    key,
                    "the @IdempotencyKey '" + key.getName() + "' is a " + type.erasure()
                            + ", which does not say how it is written into the header. Take a String, a UUID, an enum"
                            + " or a whole number, or write key = \"#{…}\".");
        }
    }

    /** Checks that the key is not in the body, which has all remaining parameters unless there is a {@code @Body}. */
    private void besideTheBody(List<ParameterElement> keys) {
        boolean hasBody = Stream.of(method.getParameters()).anyMatch(it -> it.hasStereotype(HTTP + "Body"));
        for (ParameterElement key : keys) {
            boolean isInPath = Pattern.compile("\\{[^}]*\\b" + Pattern.quote(key.getName()) + "\\b[^}]*}")
                    .matcher(method.stringValue(HTTP + "HttpMethodMapping").orElse(""))
                    .find();
            if (!hasBody && !isInPath && !key.hasStereotype("io.micronaut.core.bind.annotation.Bindable")) {
                report(
                        RuleId.SENT_KEY,
                        key,
                        "no parameter is the @Body, so the key '" + key.getName()
                                + "' would be a property of it too. Write @Header(\"Idempotency-Key\") instead of"
                                + " @IdempotencyKey to send it as the header alone, or @SendsIdempotencyKey(key ="
                                + " \"#{ " + key.getName()
                                + " }\") to send it as both.");
            }
        }
    }

    private void retries() {
        for (String attribute : List.of("delay", "maxDelay")) {
            String written =
                    method.stringValue(SendsIdempotencyKey.class, attribute).orElse("500ms");
            if (Durations.parse(written).isEmpty()) {
                error(attribute + " = \"" + written
                        + "\" is not a duration of at least a millisecond. Write 500ms, 30s, 15m or ISO-8601"
                        + " (PT30S).");
            }
        }
        int retries = method.intValue(SendsIdempotencyKey.class, "retries").orElse(0);
        if (retries < 0) {
            error("retries = " + retries + " is negative. Write how often to send the request again.");
        }
        if (retries > 0 && method.hasStereotype("io.micronaut.retry.annotation.Retryable")) {
            warning("@Retryable and retries = " + retries
                    + " multiply. Keep one of them; retries knows which answers are worth sending the request"
                    + " again.");
        }
    }

    private void error(String message) {
        report(RuleId.SENT_KEY, method, message);
    }

    private void warning(String message) {
        report(RuleId.SENT_KEY_ADVICE, method, message);
    }

    private void report(RuleId id, Element element, String message) {
        problems.of(id, element).say(BoundType.simpleName(owner) + "." + method.getName() + ": " + message);
    }
}
