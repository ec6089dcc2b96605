package io.idempotency.processor.plan;

import io.idempotency.IdempotentOperation;
import io.idempotency.definition.KeySource;
import io.idempotency.processor.model.Accessors.State;
import io.idempotency.processor.model.BoundType;
import io.idempotency.processor.model.Code;
import io.idempotency.processor.model.OperationMethod;
import io.idempotency.processor.model.OperationMethod.OperationParameter;
import io.micronaut.core.annotation.AnnotationMetadata;
import io.micronaut.core.expressions.EvaluatedExpressionReference;
import java.lang.annotation.Annotation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where the key of an operation comes from.
 *
 * @param parts what is read from the parameters, in order; empty for other sources
 * @param description the parts as the annotation describes them
 * @param problems why there is no such key
 */
public record KeyPlan(KeySource source, List<Part> parts, String description, List<String> problems) {

    private static final Pattern QUOTED = Pattern.compile("'[^']*'");
    private static final Pattern EXPRESSION = Pattern.compile("#\\{([^}]*)}");

    /** Words of an expression that stand for nothing that differs from call to call; the environment is one process's. */
    private static final Pattern CONSTANT = Pattern.compile("(\\W|\\d|\\b(true|false|null|not|and|or|empty|env)\\b)*");

    /**
     * One part of a key: the way from a parameter to a scalar.
     *
     * @param steps what to follow, possibly nothing
     * @param tag the tag of the scalar's type; empty for texts
     * @param text the canonical text of the value, which is not null
     */
    public record Part(OperationParameter parameter, List<Step> steps, String tag, Code text) {

        /** Whether nothing on the way can be null. */
        public boolean isAlwaysThere() {
            return steps.isEmpty() && parameter.type().isPrimitive();
        }
    }

    /** A step on the way: reads a value, which may be null, of the one before it, which is not. */
    public record Step(String name, Code code, BoundType type) {}

    /** Plans the key of a method with what is known of types, and adds to that. */
    public static KeyPlan of(OperationMethod method, Map<String, State> states) {
        if (isExpression(method.method().getAnnotationMetadata(), IdempotentOperation.class)) {
            return without(KeySource.EXPRESSION);
        }
        String path = method.text("key");
        List<String> marked = method.parameters().stream()
                .filter(OperationParameter::key)
                .map(OperationParameter::name)
                .toList();
        List<String> paths = path.isEmpty() ? marked : List.of(path);
        if (paths.isEmpty()) {
            return without(method.isRoute() ? KeySource.HEADER : KeySource.ARGUMENTS);
        }
        List<Part> parts = new ArrayList<>();
        List<String> problems = new ArrayList<>();
        KeyPaths planner = new KeyPaths(method, states, problems);
        paths.forEach(each -> planner.plan(each).ifPresent(parts::add));
        return new KeyPlan(KeySource.PARAMETERS, parts, String.join(", ", paths), problems);
    }

    /** A key that no parameter holds. */
    static KeyPlan without(KeySource source) {
        return new KeyPlan(source, List.of(), "", List.of());
    }

    /** Whether any part of the key is read from a parameter that is bound to a header. */
    public boolean fromHeader() {
        return parts.stream().anyMatch(part -> part.parameter().header());
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
