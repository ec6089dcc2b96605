package io.idempotency.processor.openapi;

import io.idempotency.Refusal;
import io.micronaut.core.annotation.AnnotationValue;
import io.micronaut.core.annotation.AnnotationValueBuilder;
import java.lang.annotation.Annotation;
import java.util.List;
import java.util.stream.Collectors;

/** Swagger's annotations, by name. */
final class Swagger {

    static final String PACKAGE = "io.swagger.v3.oas.annotations.";

    static final String KEY_HEADER = "Idempotency-Key";

    private static final int LONGEST_KEY = 255;

    private Swagger() {}

    private static AnnotationValueBuilder<Annotation> annotation(String name) {
        return AnnotationValue.builder(PACKAGE + name);
    }

    private static AnnotationValue<Annotation> text() {
        return annotation("media.Schema").member("type", "string").build();
    }

    static AnnotationValue<Annotation> header(boolean required, String description) {
        AnnotationValue<Annotation> schema = annotation("media.Schema")
                .member("type", "string")
                .member("minLength", 1)
                .member("maxLength", LONGEST_KEY)
                .build();
        return annotation("Parameter")
                .member("name", KEY_HEADER)
                .member("in", "HEADER")
                .member("required", required)
                .member("description", description)
                .member("schema", schema)
                .build();
    }

    /** What micronaut-openapi would have written, had the route no responses of its own. */
    static AnnotationValue<Annotation> success() {
        AnnotationValue<Annotation> replayed = annotation("headers.Header")
                .member("name", "Idempotent-Replayed")
                .member("description", "`true` when an earlier request with this key was answered so.")
                .member("schema", text())
                .build();
        return annotation("responses.ApiResponse")
                .member("responseCode", "default")
                .member("description", "Done, by this request or by an earlier one with the same key.")
                .member("useReturnTypeSchema", true)
                .member("headers", new AnnotationValue<?>[] {replayed})
                .build();
    }

    /**
     * The problem documents of one status, shown by an example: micronaut-openapi takes no properties from annotations.
     *
     * @param refusals all that have this status, the example's first
     */
    static AnnotationValue<Annotation> problem(List<Refusal> refusals) {
        Refusal first = refusals.get(0);
        String description = refusals.stream()
                .map(refusal -> "`" + refusal.code() + "`: " + refusal.happened() + " " + refusal.next())
                .collect(Collectors.joining(" "));
        String example = "{\"type\":\"/problems/idempotency/" + first.code() + "\",\"title\":\"" + first.title()
                + "\",\"status\":" + first.status() + ",\"detail\":\"…\",\"code\":\"" + first.code()
                + "\",\"operation\":\"…\",\"executed\":\"" + first.executed().code() + "\",\"retry\":\""
                + first.retry().code() + "\"}";
        AnnotationValue<Annotation> schema = annotation("media.Schema")
                .member("type", "object")
                .member(
                        "description",
                        "Problem details (RFC 9457): whether the request was executed, and what to do next.")
                .member("example", example)
                .build();
        AnnotationValue<Annotation> content = annotation("media.Content")
                .member("mediaType", "application/problem+json")
                .member("schema", schema)
                .build();
        return annotation("responses.ApiResponse")
                .member("responseCode", Integer.toString(first.status()))
                .member("description", description)
                .member("content", new AnnotationValue<?>[] {content})
                .build();
    }
}
