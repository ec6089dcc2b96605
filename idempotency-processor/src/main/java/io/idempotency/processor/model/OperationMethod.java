package io.idempotency.processor.model;

import io.idempotency.IdempotencyKey;
import io.idempotency.IdempotentOperation;
import io.idempotency.processor.model.Accessors.Accessor;
import io.micronaut.core.annotation.AnnotationMetadata;
import io.micronaut.inject.ast.ClassElement;
import io.micronaut.inject.ast.MethodElement;
import io.micronaut.inject.ast.ParameterElement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * An idempotent method of a bean.
 *
 * @param owner the bean's class, or the interface that an introduction implements
 * @param declaration the annotated method: this method, or one that it overrides
 * @param produced whether a factory makes the bean
 */
public record OperationMethod(
        ClassElement owner,
        MethodElement method,
        MethodElement declaration,
        List<OperationParameter> parameters,
        BoundType returnType,
        boolean produced) {

    /** The attributes that name exception types. */
    public static final List<String> FAILURE_LISTS = List.of("noEffectFor", "finalFor", "unknownFor");

    /** Attributes that are not policies. */
    private static final Set<String> NO_POLICIES = Set.of("value", "key", "namespace", "transactional");

    private static final String HTTP = "io.micronaut.http.annotation.";

    /**
     * One parameter of an operation.
     *
     * @param value how the parameter is read from the array of arguments
     * @param header whether the parameter is bound to a header, or to a bean that may have some
     */
    public record OperationParameter(int index, Accessor value, ParameterElement element, boolean key, boolean header) {

        /** Returns the parameter's name in the annotated method. */
        public String name() {
            return value.name();
        }

        public BoundType type() {
            return value.type();
        }
    }

    public static OperationMethod of(ClassElement owner, MethodElement method, boolean produced) {
        MethodElement declaration = declaration(method);
        Map<String, BoundType> scope = BoundType.of(owner, Map.of()).scopeOf(method.getDeclaringType());
        List<OperationParameter> parameters = new ArrayList<>();
        for (int i = 0; i < method.getParameters().length; i++) {
            ParameterElement own = method.getParameters()[i];
            List<ParameterElement> carriers = List.of(own, declaration.getParameters()[i]);
            BoundType type = BoundType.of(own.getGenericType(), scope);
            Code code = Code.of("($2T) $1L[$3L]", type.typeName(), i);
            Accessor value = Accessor.of(carriers.get(1).getName(), code, type, carriers);
            parameters.add(new OperationParameter(
                    i,
                    value,
                    own,
                    carriers.stream().anyMatch(it -> it.hasStereotype(IdempotencyKey.class)),
                    value.header() || carriers.stream().anyMatch(it -> it.hasAnnotation(HTTP + "RequestBean"))));
        }
        BoundType returnType = BoundType.of(method.getGenericReturnType(), scope);
        return new OperationMethod(owner, method, declaration, List.copyOf(parameters), returnType, produced);
    }

    /** Tells whether any of several elements is bound to a header. */
    static boolean isHeader(List<? extends AnnotationMetadata> carriers) {
        // a repeatable annotation is inside its container
        return carriers.stream()
                .anyMatch(it -> !it.getAnnotationValuesByName(HTTP + "Header").isEmpty());
    }

    private static MethodElement declaration(MethodElement method) {
        return Stream.concat(Stream.of(method), method.getOverriddenMethods().stream())
                .filter(each -> each.hasDeclaredStereotype(IdempotentOperation.class))
                .findFirst()
                .orElse(method);
    }

    public List<String> markedKeys() {
        return parameters.stream()
                .filter(OperationParameter::key)
                .map(OperationParameter::name)
                .toList();
    }

    /** Tells whether HTTP requests are routed to this method, which excludes the methods of a client. */
    public boolean isRoute() {
        return method.hasStereotype(HTTP + "HttpMethodMapping") && owner.hasStereotype(HTTP + "Controller");
    }

    /** Returns {@code Class.method}, for messages. */
    public String label() {
        return BoundType.simpleName(owner) + "." + method.getName();
    }

    /** Returns {@code package.Class.method(types)}, for messages. */
    public String origin() {
        return owner.getCanonicalName() + "." + method.getName() + "(" + types(", ") + ")";
    }

    /** Returns {@code package.Outer$Class#method(types)}, unique for each operation. */
    public String signature() {
        return owner.getName() + "#" + method.getName() + "(" + types(",").replace('$', '.') + ")";
    }

    public String declared() {
        return declaration.getDeclaringType().getName() + "#" + declaration.getDescription(false);
    }

    /** Returns the annotation's name for the operation, or else the method's signature. */
    public String name() {
        return text("value").isEmpty() ? signature() : text("value");
    }

    /** Returns the policies that the annotation sets, sorted by name; durations in ISO-8601. */
    public Map<String, String> attributes() {
        Map<String, String> attributes = new TreeMap<>();
        method.findAnnotation(IdempotentOperation.class)
                .ifPresent(annotation -> annotation.getValues().forEach((member, value) -> {
                    String name = member.toString();
                    boolean single = value instanceof String || value instanceof Boolean || value instanceof Enum<?>;
                    if (single && !NO_POLICIES.contains(name) && !text(name).isEmpty()) {
                        boolean isDuration = Durations.ATTRIBUTES.contains(name);
                        Optional<Duration> duration = isDuration ? Durations.parse(text(name)) : Optional.empty();
                        attributes.put(name, duration.map(Duration::toString).orElse(text(name)));
                    }
                }));
        return attributes;
    }

    /** Returns a textual attribute of the annotation; empty when left out. */
    public String text(String attribute) {
        return method.stringValue(IdempotentOperation.class, attribute).orElse("");
    }

    /** Tells whether the annotation sets an attribute, even to its default. */
    public boolean sets(String attribute) {
        return method.isPresent(IdempotentOperation.class, attribute);
    }

    /** Returns a boolean attribute of the annotation, or else what applies when it is left out. */
    public boolean flag(String attribute, boolean otherwise) {
        return method.booleanValue(IdempotentOperation.class, attribute).orElse(otherwise);
    }

    public List<String> classNames(String attribute) {
        return List.of(method.stringValues(IdempotentOperation.class, attribute));
    }

    private String types(String separator) {
        return parameters.stream().map(parameter -> parameter.type().erasure()).collect(Collectors.joining(separator));
    }
}
