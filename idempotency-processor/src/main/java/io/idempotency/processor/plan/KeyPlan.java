package io.idempotency.processor.plan;

import io.idempotency.IdempotentOperation;
import io.idempotency.definition.KeySource;
import io.idempotency.processor.model.Accessors.State;
import io.idempotency.processor.model.OperationMethod;
import io.idempotency.processor.model.OperationParameter;
import io.micronaut.core.annotation.AnnotationMetadata;
import io.micronaut.core.expressions.EvaluatedExpressionReference;
import java.lang.annotation.Annotation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Where the key of an operation comes from.
 *
 * @param source the source
 * @param parts what is read from the parameters, in order; empty for other sources
 * @param description the parts as the annotation describes them
 * @param problems why there is no such key
 */
public record KeyPlan(KeySource source, List<KeyPart> parts, String description, List<String> problems) {

    private static final Pattern QUOTED = Pattern.compile("'[^']*'");
    private static final Pattern EXPRESSION = Pattern.compile("#\\{([^}]*)}");

    /** Words of an expression that stand for nothing that differs from call to call; the environment is one process's. */
    private static final Pattern CONSTANT = Pattern.compile("(\\W|\\d|\\b(true|false|null|not|and|or|empty|env)\\b)*");

    /** Of an operation whose key is not looked at. */
    static final KeyPlan NONE = new KeyPlan(KeySource.ARGUMENTS, List.of(), "", List.of());

    /** Plans the key of a method. */
    public static KeyPlan of(OperationMethod method) {
        return of(method, new HashMap<>());
    }

    /** Plans it with what is known of types, and adds to that. */
    static KeyPlan of(OperationMethod method, Map<String, State> states) {
        if (isExpression(method.method().getAnnotationMetadata(), IdempotentOperation.class)) {
            return new KeyPlan(KeySource.EXPRESSION, List.of(), "", List.of());
        }
        String path = method.text("key");
        List<OperationParameter> marked =
                method.parameters().stream().filter(OperationParameter::key).toList();
        if (!path.isEmpty()) {
            return parameters(List.of(path), method, states);
        }
        if (!marked.isEmpty()) {
            return parameters(marked.stream().map(OperationParameter::name).toList(), method, states);
        }
        return new KeyPlan(method.isRoute() ? KeySource.HEADER : KeySource.ARGUMENTS, List.of(), "", List.of());
    }

    /** Whether any part of the key is read from a parameter that is bound to a header. */
    public boolean fromHeader() {
        return parts.stream().anyMatch(part -> part.parameter().header());
    }

    private static KeyPlan parameters(List<String> paths, OperationMethod method, Map<String, State> states) {
        List<KeyPart> parts = new ArrayList<>();
        List<String> problems = new ArrayList<>();
        KeyPaths planner = new KeyPaths(method, states, problems);
        paths.forEach(path -> planner.plan(path).ifPresent(parts::add));
        String description = paths.stream().collect(Collectors.joining(", "));
        return new KeyPlan(KeySource.PARAMETERS, List.copyOf(parts), description, List.copyOf(problems));
    }

    /** Whether the annotation's key is an expression that reads nothing of the call. */
    public static boolean isConstant(AnnotationMetadata annotations) {
        if (!isExpression(annotations, IdempotentOperation.class)) {
            return false;
        }
        Object written = annotations.getValue(IdempotentOperation.class, "key").orElse("");
        Object text = written instanceof EvaluatedExpressionReference reference ? reference.annotationValue() : written;
        Matcher each = EXPRESSION.matcher(QUOTED.matcher(text.toString()).replaceAll(""));
        return each.results().allMatch(found -> CONSTANT.matcher(found.group(1)).matches());
    }

    /** Whether an annotation's key is a Micronaut expression, which is compiled into a reference before we see it. */
    public static boolean isExpression(AnnotationMetadata annotations, Class<? extends Annotation> annotation) {
        return annotations
                .getValue(annotation, "key")
                .filter(value -> !(value instanceof String text) || text.contains("#{"))
                .isPresent();
    }
}
