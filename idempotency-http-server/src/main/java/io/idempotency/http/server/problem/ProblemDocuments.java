package io.idempotency.http.server.problem;

import io.idempotency.Refusal;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.util.StringUtils;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.http.annotation.Produces;
import io.micronaut.http.exceptions.HttpStatusException;
import io.micronaut.http.server.exceptions.ExceptionHandler;
import io.micronaut.security.annotation.Secured;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Serves the descriptions of the problem types, for people and for machines. */
@Secured("isAnonymous()") // the description helps only where every caller may read it
@Controller("${" + ProblemsConfiguration.PREFIX + ".base:" + ProblemsConfiguration.STANDARD_BASE + "}")
@Requires(classes = ExceptionHandler.class)
@Requires(
        property = ProblemsConfiguration.PREFIX + ".served",
        notEquals = StringUtils.FALSE,
        defaultValue = StringUtils.TRUE)
@Requires(
        property = ProblemsConfiguration.PREFIX + ".base",
        pattern = "/.*",
        defaultValue = ProblemsConfiguration.STANDARD_BASE)
final class ProblemDocuments {

    private final ProblemTypes types;

    ProblemDocuments(ProblemTypes types) {
        this.types = types;
    }

    /** All types. */
    @Get
    @Produces({MediaType.APPLICATION_JSON, MediaType.TEXT_HTML, MediaType.TEXT_PLAIN})
    HttpResponse<?> all(HttpRequest<?> request) {
        List<ProblemDocument> documents = Arrays.stream(Refusal.values())
                .map(refusal -> ProblemDocument.of(refusal, types))
                .toList();
        return switch (Representation.of(request.accept())) {
            case JSON ->
                json(Map.of(
                        "problems",
                        documents.stream().map(ProblemDocument::members).toList()));
            case HTML -> html("Problems with idempotency keys", ProblemDocument.html(documents));
            case TEXT -> text(ProblemDocument.text(documents));
        };
    }

    /** One type. */
    @Get("/{code}")
    @Produces({MediaType.APPLICATION_JSON, MediaType.TEXT_HTML, MediaType.TEXT_PLAIN})
    HttpResponse<?> one(HttpRequest<?> request, @PathVariable String code) {
        ProblemDocument document = Refusal.named(code)
                .map(refusal -> ProblemDocument.of(refusal, types))
                .orElseThrow(() -> new HttpStatusException(HttpStatus.NOT_FOUND, "There is no such problem type"));
        return switch (Representation.of(request.accept())) {
            case JSON -> json(document.members());
            case HTML -> html(document.title(), ProblemDocument.html(List.of(document)));
            case TEXT -> text(ProblemDocument.text(List.of(document)));
        };
    }

    private static MutableHttpResponse<?> json(Map<String, Object> body) {
        return HttpResponse.ok(body).contentType(MediaType.APPLICATION_JSON_TYPE);
    }

    private static MutableHttpResponse<?> text(String body) {
        return HttpResponse.ok(body).contentType(MediaType.TEXT_PLAIN_TYPE);
    }

    private static MutableHttpResponse<?> html(String title, String body) {
        return HttpResponse.ok("<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>" + title
                        + "</title></head><body>" + body + "</body></html>")
                .contentType(MediaType.TEXT_HTML_TYPE);
    }
}
