package io.idempotency.processor.model;

import io.idempotency.IdempotencyKey;
import io.idempotency.IdempotentOperation;
import io.idempotency.NotFingerprinted;
import io.idempotency.fingerprint.FingerprintDefault;
import io.idempotency.fingerprint.FingerprintName;
import io.micronaut.inject.ast.ClassElement;
import io.micronaut.inject.ast.MethodElement;
import io.micronaut.inject.ast.ParameterElement;
import java.lang.annotation.Annotation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * An idempotent method of a bean.
 *
 * @param owner the bean's class, or the interface it is introduced for
 * @param method the method as the owner has it
 * @param declaration the method that carries the annotation: itself, or one that it overrides
 * @param parameters its parameters
 * @param returnType its return type
 * @param produced whether the bean is made by a factory
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

    /** What the annotation says besides policies: who the operation is, and what no configuration may change. */
    private static final Set<String> NO_POLICIES = Set.of("value", "key", "namespace", "transactional");

    private static final String CONTROLLER = "io.micronaut.http.annotation.Controller";
    private static final String HEADER = "io.micronaut.http.annotation.Header";
    private static final String HTTP_METHOD = "io.micronaut.http.annotation.HttpMethodMapping";

    /** Reads a method of a bean's class, or of what a factory makes. */
    public static OperationMethod of(ClassElement owner, MethodElement method, boolean produced) {
        MethodElement declaration = declaration(method);
        Map<String, BoundType> scope = TypeBinding.bind(owner, Map.of()).scopeOf(method.getDeclaringType());
        List<OperationParameter> parameters = new ArrayList<>();
        for (int i = 0; i < method.getParameters().length; i++) {
            ParameterElement own = method.getParameters()[i];
            ParameterElement declared = declaration.getParameters()[i];
            parameters.add(new OperationParameter(
                    i,
                    declared.getName(),
                    text(FingerprintName.class, own, declared).orElse(declared.getName()),
                    text(FingerprintDefault.class, own, declared).orElse(null),
                    TypeBinding.bind(own.getGenericType(), scope),
                    own,
                    carries(IdempotencyKey.class, own, declared),
                    carries(NotFingerprinted.class, own, declared),
                    isHeader(own) || isHeader(declared)));
        }
        BoundType returnType = TypeBinding.bind(method.getGenericReturnType(), scope);
        return new OperationMethod(owner, method, declaration, List.copyOf(parameters), returnType, produced);
    }

    private static MethodElement declaration(MethodElement method) {
        if (method.hasDeclaredStereotype(IdempotentOperation.class)) {
            return method;
        }
        return method.getOverriddenMethods().stream()
                .filter(overridden -> overridden.hasDeclaredStereotype(IdempotentOperation.class))
                .findFirst()
                .orElse(method);
    }

    private static boolean carries(
            Class<? extends Annotation> annotation, ParameterElement own, ParameterElement declared) {
        return own.hasStereotype(annotation) || declared.hasStereotype(annotation);
    }

    private static Optional<String> text(
            Class<? extends Annotation> annotation, ParameterElement own, ParameterElement declared) {
        return own.stringValue(annotation).or(() -> declared.stringValue(annotation));
    }

    /** The annotation is repeatable, so it stands inside its container. */
    private static boolean isHeader(ParameterElement parameter) {
        return !parameter.getAnnotationValuesByName(HEADER).isEmpty();
    }

    /** Whether HTTP requests are routed here: a mapping in a controller; in a client it is the sending side. */
    public boolean isRoute() {
        return method.hasStereotype(HTTP_METHOD) && owner.hasStereotype(CONTROLLER);
    }

    /** The method as messages name it: {@code package.Class.method(types)}. */
    public String origin() {
        return owner.getCanonicalName() + "." + method.getName() + "(" + types(", ") + ")";
    }

    /** Which method of which class it is: {@code package.Outer$Class#method(types)}, another one for every operation. */
    public String signature() {
        return owner.getName() + "#" + method.getName() + "(" + types(",").replace('$', '.') + ")";
    }

    /** Which method carries the annotation. */
    public String declared() {
        return declaration.getDeclaringType().getName() + "#" + declaration.getDescription(false);
    }

    /** The name that the annotation gives, else the method's signature. */
    public String name() {
        return isNamed() ? text("value") : signature();
    }

    /** Whether the annotation gives the operation a name. */
    public boolean isNamed() {
        return !text("value").isEmpty();
    }

    /** The policies that the annotation sets, as texts, in the order of their names; durations in ISO-8601. */
    public Map<String, String> attributes() {
        Map<String, String> attributes = new TreeMap<>();
        method.findAnnotation(IdempotentOperation.class)
                .ifPresent(annotation -> annotation.getValues().forEach((member, value) -> {
                    boolean single = value instanceof String || value instanceof Boolean || value instanceof Enum<?>;
                    if (single
                            && !NO_POLICIES.contains(member.toString())
                            && !text(member.toString()).isEmpty()) {
                        attributes.put(member.toString(), normal(member.toString(), text(member.toString())));
                    }
                }));
        return attributes;
    }

    private static String normal(String attribute, String text) {
        return Durations.ATTRIBUTES.contains(attribute)
                ? Durations.parse(text).map(Duration::toString).orElse(text)
                : text;
    }

    /** A textual attribute of the annotation; empty when left out. */
    public String text(String attribute) {
        return method.stringValue(IdempotentOperation.class, attribute).orElse("");
    }

    /** Whether the annotation sets an attribute, even to its default. */
    public boolean sets(String attribute) {
        return method.findAnnotation(IdempotentOperation.class)
                .map(annotation -> annotation.getValues().containsKey(attribute))
                .orElse(false);
    }

    /** A boolean attribute that the annotation sets; false when left out. */
    public boolean flag(String attribute) {
        return method.booleanValue(IdempotentOperation.class, attribute).orElse(false);
    }

    /** The binary names of a class attribute. */
    public List<String> classNames(String attribute) {
        return List.of(method.stringValues(IdempotentOperation.class, attribute));
    }

    private String types(String separator) {
        return parameters.stream().map(parameter -> parameter.type().erasure()).collect(Collectors.joining(separator));
    }
}
