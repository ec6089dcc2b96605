package io.idempotency.processor;

import io.idempotency.IdempotentOperation;
import io.idempotency.Refusal;
import io.idempotency.definition.KeySource;
import io.idempotency.processor.model.Durations;
import io.idempotency.processor.model.OperationMethod;
import io.idempotency.processor.model.Unreadable;
import io.idempotency.processor.plan.KeyPlan;
import io.micronaut.core.annotation.AnnotationValue;
import io.micronaut.core.annotation.AnnotationValueBuilder;
import io.micronaut.inject.ast.ClassElement;
import io.micronaut.inject.ast.MethodElement;
import io.micronaut.inject.visitor.TypeElementVisitor;
import io.micronaut.inject.visitor.VisitorContext;
import java.lang.annotation.Annotation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Describes headers, refusals and retention to micronaut-openapi by Swagger's annotations, if present. */
public final class OpenApiVisitor implements TypeElementVisitor<Object, Object> {

    private static final String SWAGGER = "io.swagger.v3.oas.annotations.";
    private static final String SWAGGER_OPERATION = SWAGGER + "Operation";
    private static final String RESPONSE = "responses.ApiResponse";
    private static final String SCHEMA = "media.Schema";
    private static final String KEY_HEADER = "Idempotency-Key";

    @Override
    public VisitorKind getVisitorKind() {
        return VisitorKind.ISOLATING;
    }

    @Override
    public int getOrder() {
        return 1000; // before those of micronaut-openapi, 200 to 40: visitors run by descending order
    }

    @Override
    public Set<String> getSupportedAnnotationNames() {
        return Set.of(IdempotentOperation.class.getName());
    }

    @Override
    public void visitClass(ClassElement element, VisitorContext context) {
        if (!element.isInterface()
                && element.hasStereotype("io.micronaut.http.annotation.Controller")
                && context.getClassElement(SWAGGER_OPERATION).isPresent()) {
            // what cannot be read is reported where the operation is checked
            FactoryBeans.operations(element)
                    .forEach(method -> Unreadable.run(() -> document(element, method), why -> {}));
        }
    }

    /** Adds what the route does not describe itself. */
    private static void document(ClassElement owner, MethodElement method) {
        OperationMethod operation = OperationMethod.of(owner, method, false);
        if (operation.isRoute()) {
            boolean header = KeyPlan.of(operation, new HashMap<>()).source() == KeySource.HEADER;
            addResponses(operation, header);
            if (header) {
                addHeader(operation);
            }
        }
    }

    private static void addResponses(OperationMethod operation, boolean header) {
        MethodElement method = operation.method();
        List<AnnotationValue<Annotation>> responses =
                new ArrayList<>(method.getDeclaredAnnotationValuesByName(SWAGGER + RESPONSE));
        method.findAnnotation(SWAGGER_OPERATION)
                .ifPresent(described -> responses.addAll(described.getAnnotations("responses")));
        List<String> declared = responses.stream().map(OpenApiVisitor::code).toList();
        if (declared.isEmpty()) {
            responses.add(success());
        }
        refusals(operation, header).stream()
                .filter(it -> !declared.contains(code(it)))
                .forEach(responses::add);
        method.annotate(
                SWAGGER + "responses.ApiResponses",
                builder -> builder.member("value", responses.toArray(AnnotationValue[]::new)));
    }

    private static String code(AnnotationValue<Annotation> response) {
        return response.stringValue("responseCode").orElse("default");
    }

    /** Adds the key's header. Removes the annotation first, since annotating again keeps former members. */
    private static void addHeader(OperationMethod operation) {
        MethodElement method = operation.method();
        AnnotationValue<Annotation> described = method.findAnnotation(SWAGGER_OPERATION)
                .orElseGet(() -> AnnotationValue.builder(SWAGGER_OPERATION).build());
        List<AnnotationValue<Annotation>> parameters = new ArrayList<>(described.getAnnotations("parameters"));
        boolean isDescribed = parameters.stream()
                .flatMap(parameter -> parameter.stringValue("name").stream())
                .anyMatch(KEY_HEADER::equalsIgnoreCase);
        if (!isDescribed) { // by the route itself, or when it was visited before
            parameters.add(parameter(operation));
            method.removeAnnotation(SWAGGER_OPERATION);
            method.annotate(AnnotationValue.builder(described)
                    .member("parameters", parameters.toArray(AnnotationValue[]::new))
                    .build());
        }
    }

    /** Returns one response for each status, with all its refusals. */
    private static List<AnnotationValue<Annotation>> refusals(OperationMethod operation, boolean header) {
        return Arrays.stream(Refusal.values())
                .filter(refusal -> concerns(refusal, operation, header))
                .collect(Collectors.groupingBy(Refusal::status, TreeMap::new, Collectors.toList()))
                .values()
                .stream()
                .map(OpenApiVisitor::problem)
                .toList();
    }

    private static boolean concerns(Refusal refusal, OperationMethod operation, boolean header) {
        return switch (refusal) {
            case KEY_MISSING -> header && operation.flag("keyRequired", true);
            case KEY_INVALID -> header;
            case KEY_FOREIGN -> operation.text("otherCallers").equals("FORBID");
            default -> true;
        };
    }

    private static AnnotationValueBuilder<Annotation> annotation(String name) {
        return AnnotationValue.builder(SWAGGER + name);
    }

    private static AnnotationValue<Annotation> parameter(OperationMethod operation) {
        // the service's configuration decides what the annotation leaves out
        String retention = operation.text(Durations.RETENTION).isEmpty()
                ? "24h, unless the service is configured otherwise"
                : operation.text(Durations.RETENTION);
        AnnotationValueBuilder<Annotation> schema = annotation(SCHEMA)
                .member("type", "string")
                .member("minLength", 1)
                .member("maxLength", 255);
        return annotation("Parameter")
                .member("name", KEY_HEADER)
                .member("in", "HEADER")
                .member("required", operation.flag("keyRequired", true))
                .member(
                        "description",
                        "The idempotency key: new for each intent, the same for each retry of it, for instance a random"
                                + " UUID."
                                + (operation.flag("keyRequired", true)
                                        ? ""
                                        : " Without one the request is not protected against being repeated.")
                                + " It is remembered for " + retention + ".")
                .member("schema", schema.build())
                .build();
    }

    /** Returns the response that micronaut-openapi writes for a route without responses. */
    private static AnnotationValue<Annotation> success() {
        AnnotationValue<Annotation> replayed = annotation("headers.Header")
                .member("name", "Idempotent-Replayed")
                .member("description", "`true` when an earlier request with this key was answered so.")
                .member("schema", annotation(SCHEMA).member("type", "string").build())
                .build();
        return annotation(RESPONSE)
                .member("responseCode", "default")
                .member("description", "Done, by this request or by an earlier one with the same key.")
                .member("useReturnTypeSchema", true)
                .member("headers", new AnnotationValue<?>[] {replayed})
                .build();
    }

    /** Returns a status's problem documents, the first as an example: micronaut-openapi takes no properties here. */
    private static AnnotationValue<Annotation> problem(List<Refusal> refusals) {
        Refusal first = refusals.get(0);
        String description = refusals.stream()
                .map(refusal -> "`" + refusal.code() + "`: " + refusal.happened() + " " + refusal.next())
                .collect(Collectors.joining(" "));
        String example = "{\"type\":\"/problems/idempotency/" + first.code() + "\",\"title\":\"" + first.title()
                + "\",\"status\":" + first.status() + ",\"detail\":\"…\",\"code\":\"" + first.code()
                + "\",\"operation\":\"…\",\"executed\":\"" + first.executed().code() + "\",\"retry\":\""
                + first.retry().code() + "\"}";
        AnnotationValueBuilder<Annotation> schema = annotation(SCHEMA)
                .member("type", "object")
                .member(
                        "description",
                        "Problem details (RFC 9457): whether the request was executed, and what to do next.")
                .member("example", example);
        AnnotationValue<Annotation> content = annotation("media.Content")
                .member("mediaType", "application/problem+json")
                .member("schema", schema.build())
                .build();
        return annotation(RESPONSE)
                .member("responseCode", Integer.toString(first.status()))
                .member("description", description)
                .member("content", new AnnotationValue<?>[] {content})
                .build();
    }
}
