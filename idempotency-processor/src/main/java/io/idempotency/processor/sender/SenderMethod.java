package io.idempotency.processor.sender;

import io.idempotency.IdempotencyKey;
import io.idempotency.IdempotentOperation;
import io.idempotency.SendsIdempotencyKey;
import io.idempotency.processor.rule.Problems;
import io.idempotency.processor.rule.RuleId;
import io.micronaut.inject.ast.ClassElement;
import io.micronaut.inject.ast.Element;
import io.micronaut.inject.ast.MethodElement;
import io.micronaut.inject.ast.ParameterElement;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A method that sends an idempotency key.
 *
 * @param owner the client, or the bean
 * @param method the method
 */
public record SenderMethod(ClassElement owner, MethodElement method) {

    private static final String CLIENT = "io.micronaut.http.client.annotation.Client";
    private static final String MAPPING = "io.micronaut.http.annotation.HttpMethodMapping";
    private static final String CUSTOM_METHOD = "io.micronaut.http.annotation.CustomHttpMethod";
    private static final List<String> SAFE = List.of("GET", "HEAD", "OPTIONS", "TRACE");

    /** Whether the method is annotated itself, rather than its type. */
    boolean isMarkedItself() {
        return method.hasDeclaredStereotype(SendsIdempotencyKey.class);
    }

    boolean isOperation() {
        return method.hasStereotype(IdempotentOperation.class);
    }

    boolean isDeclarative() {
        return owner.hasStereotype(CLIENT);
    }

    /** The HTTP method of a declarative client's method; empty for one that maps to no request. */
    Optional<String> httpMethod() {
        return method.stringValue(CUSTOM_METHOD, "method")
                .or(() -> method.getAnnotationNameByStereotype(MAPPING)
                        .map(name -> name.substring(name.lastIndexOf('.') + 1).toUpperCase(Locale.ROOT)));
    }

    boolean isSafe() {
        return httpMethod().filter(SAFE::contains).isPresent();
    }

    /** The path of the request. */
    String path() {
        return method.stringValue(MAPPING).orElse("");
    }

    /** Whether the annotation sets an attribute to something. */
    boolean sets(String attribute) {
        return method.findAnnotation(SendsIdempotencyKey.class)
                .filter(annotation -> annotation.getValues().containsKey(attribute))
                .isPresent();
    }

    List<ParameterElement> parameters() {
        return List.of(method.getParameters());
    }

    /** The parameters that are the request's key. */
    List<ParameterElement> keys() {
        return isOperation()
                ? List.of()
                : Arrays.stream(method.getParameters())
                        .filter(parameter -> parameter.hasStereotype(IdempotencyKey.class))
                        .toList();
    }

    void error(Problems problems, String message) {
        error(problems, message, method);
    }

    void error(Problems problems, String message, Element element) {
        problems.report(RuleId.SENT_KEY, named(message), element);
    }

    void warning(Problems problems, String message) {
        problems.report(RuleId.SENT_KEY_ADVICE, named(message), method);
    }

    private String named(String message) {
        return owner.getSimpleName().replace('$', '.') + "." + method.getName() + ": " + message;
    }
}
