package io.idempotency.processor.openapi;

import io.idempotency.Refusal;
import io.idempotency.processor.model.Durations;
import io.idempotency.processor.model.OperationMethod;
import io.micronaut.core.annotation.AnnotationValue;
import io.micronaut.inject.ast.MethodElement;
import java.lang.annotation.Annotation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The header, the refusals and the retention of one route.
 *
 * @param operation the route's operation
 * @param header whether its key is the header
 */
public record RouteDocumentation(OperationMethod operation, boolean header) {

    /** There when the application uses swagger's annotations. */
    public static final String SWAGGER_OPERATION = Swagger.PACKAGE + "Operation";

    private static final String RESPONSE = Swagger.PACKAGE + "responses.ApiResponse";
    private static final String RESPONSES = Swagger.PACKAGE + "responses.ApiResponses";
    private static final String PARAMETERS = "parameters";

    /** Adds to the route what it does not say itself. */
    public void write() {
        MethodElement method = operation.method();
        List<AnnotationValue<Annotation>> declared = declaredResponses(method);
        List<AnnotationValue<Annotation>> responses = new ArrayList<>(declared);
        if (declared.isEmpty()) {
            responses.add(Swagger.success());
        }
        for (AnnotationValue<Annotation> refusal : refusals()) {
            if (declared.stream().noneMatch(it -> code(it).equals(code(refusal)))) {
                responses.add(refusal);
            }
        }
        method.annotate(RESPONSES, builder -> builder.member("value", responses.toArray(AnnotationValue[]::new)));
        if (header) {
            addHeader(method);
        }
    }

    private static List<AnnotationValue<Annotation>> declaredResponses(MethodElement method) {
        List<AnnotationValue<Annotation>> declared =
                new ArrayList<>(method.getDeclaredAnnotationValuesByName(RESPONSE));
        declared.addAll(method.findAnnotation(SWAGGER_OPERATION)
                .map(operation -> operation.getAnnotations("responses"))
                .orElse(List.of()));
        return declared;
    }

    private static String code(AnnotationValue<Annotation> response) {
        return response.stringValue("responseCode").orElse("default");
    }

    /** Annotating again keeps the members that are there, so what is there is taken off first. */
    private void addHeader(MethodElement method) {
        AnnotationValue<Annotation> described = method.findAnnotation(SWAGGER_OPERATION)
                .orElseGet(() -> AnnotationValue.builder(SWAGGER_OPERATION).build());
        List<AnnotationValue<Annotation>> parameters = new ArrayList<>(described.getAnnotations(PARAMETERS));
        if (parameters.stream().anyMatch(RouteDocumentation::isKeyHeader)) {
            return; // the route describes it itself, or it was visited before
        }
        parameters.add(Swagger.header(isRequired(), headerText()));
        method.removeAnnotation(SWAGGER_OPERATION);
        method.annotate(AnnotationValue.builder(described)
                .member(PARAMETERS, parameters.toArray(AnnotationValue[]::new))
                .build());
    }

    private static boolean isKeyHeader(AnnotationValue<Annotation> parameter) {
        return parameter
                .stringValue("name")
                .filter(Swagger.KEY_HEADER::equalsIgnoreCase)
                .isPresent();
    }

    private boolean isRequired() {
        return !operation.sets("keyRequired") || operation.flag("keyRequired");
    }

    private String headerText() {
        return "The idempotency key: new for each intent, the same for each retry of it, for instance a random UUID."
                + (isRequired() ? "" : " Without one the request is not protected against being repeated.")
                + " It is remembered " + retention() + ".";
    }

    /** What the annotation leaves out is decided where the service runs. */
    private String retention() {
        String written = operation.text(Durations.RETENTION);
        return operation.sets(Durations.RETENTION) && !written.isEmpty()
                ? "for " + written
                : "for 24h, unless the service is configured otherwise";
    }

    /** One response for each status, which names every refusal that has it. */
    private List<AnnotationValue<Annotation>> refusals() {
        return Arrays.stream(Refusal.values())
                .filter(this::concerns)
                .collect(Collectors.groupingBy(Refusal::status, TreeMap::new, Collectors.toList()))
                .values()
                .stream()
                .map(Swagger::problem)
                .toList();
    }

    private boolean concerns(Refusal refusal) {
        return switch (refusal) {
            case KEY_MISSING -> header && isRequired();
            case KEY_INVALID -> header;
            case KEY_FOREIGN -> operation.text("otherCallers").equals("FORBID");
            default -> true;
        };
    }
}
