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
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The source of an operation's key.
 *
 * @param parts the values read from the parameters, in order; empty for other sources
 * @param description the paths, separated by commas
 */
public record KeyPlan(KeySource source, List<Part> parts, String description, List<String> problems) {

    private static final Pattern QUOTED = Pattern.compile("'[^']*'");
    private static final Pattern EXPRESSION = Pattern.compile("#\\{([^}]*)}");

    /** Words of an expression that never differ between calls; {@code env} is the same for a whole process. */
    private static final Pattern CONSTANT = Pattern.compile("(\\W|\\d|\\b(true|false|null|not|and|or|empty|env)\\b)*");

    /**
     * One part of a key: the path from a parameter to a scalar.
     *
     * @param tag the tag of the scalar's type; empty for texts
     * @param text the canonical text of the value, which is not null
     */
    public record Part(OperationParameter parameter, List<Step> steps, String tag, Code text) {}

    /** Reads a value, which may be null, from the previous value, which is not null. */
    public record Step(String name, Code code, BoundType type) {}

    /** Plans the key of a method, and adds the states of types that it reads. */
    public static KeyPlan of(OperationMethod method, Map<String, State> states) {
        if (expression(method.method(), IdempotentOperation.class).isPresent()) {
            return without(KeySource.EXPRESSION);
        }
        String path = method.text("key");
        List<String> paths = path.isEmpty() ? method.markedKeys() : List.of(path);
        if (paths.isEmpty()) {
            return without(method.isRoute() ? KeySource.HEADER : KeySource.ARGUMENTS);
        }
        List<Part> parts = new ArrayList<>();
        List<String> problems = new ArrayList<>();
        KeyPaths planner = new KeyPaths(method, states, problems);
        paths.forEach(each -> planner.plan(each).ifPresent(parts::add));
        return new KeyPlan(KeySource.PARAMETERS, parts, String.join(", ", paths), problems);
    }

    /** Returns a key that no parameter holds. */
    static KeyPlan without(KeySource source) {
        return new KeyPlan(source, List.of(), "", List.of());
    }

    /** Tells whether any part of the key is read from a parameter that is bound to a header. */
    public boolean fromHeader() {
        return parts.stream().anyMatch(part -> part.parameter().header());
    }

    /** Returns why calls that an annotation's expression should tell apart may have one key; empty where they do not. */
    public static Optional<String> doubt(AnnotationMetadata annotations, Class<? extends Annotation> annotation) {
        return expression(annotations, annotation).flatMap(KeyPlan::doubt);
    }

    private static Optional<String> doubt(String expression) {
        String text = QUOTED.matcher(expression).replaceAll("");
        Stream<String> inside = EXPRESSION.matcher(text).results().map(found -> found.group(1));
        if (inside.allMatch(CONSTANT.asMatchPredicate())) {
            return Optional.of("the key's expression reads nothing of the call, so every call has the same key: what"
                    + " the first one does counts for all. Name a parameter, for instance #{ order.id }.");
        }
        return EXPRESSION.matcher(text).matches() && !text.contains("+")
                ? Optional.empty()
                : Optional.of(
                        "the key's expression joins texts: a null in it becomes the text 'null', so that all calls"
                                + " without a value have one key, and a date or decimal is what its toString() says."
                                + " Write one #{…} without +, of a method that joins them, or mark the parts of an"
                                + " operation's key @IdempotencyKey.");
    }

    /** Returns an annotation's key that is a Micronaut expression, which the processor gets as a reference. */
    public static Optional<String> expression(AnnotationMetadata annotations, Class<? extends Annotation> annotation) {
        return annotations
                .getValue(annotation, "key")
                .filter(EvaluatedExpressionReference.class::isInstance)
                .map(key ->
                        ((EvaluatedExpressionReference) key).annotationValue().toString());
    }
}
