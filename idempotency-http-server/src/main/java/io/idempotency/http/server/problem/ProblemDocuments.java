package io.idempotency.http.server.problem;

import io.idempotency.Refusal;
import io.idempotency.http.server.HttpConfiguration.Problems;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.util.StringUtils;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.http.annotation.Produces;
import io.micronaut.http.exceptions.HttpStatusException;
import io.micronaut.http.server.exceptions.ExceptionHandler;
import io.micronaut.security.annotation.Secured;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Serves the descriptions of the problem types. The texts of {@link Refusal} need no escaping. */
@Secured("isAnonymous()") // the description helps only where every caller may read it
@Controller("${" + Problems.PREFIX + ".base:" + Problems.STANDARD_BASE + "}")
@Requires(classes = ExceptionHandler.class)
@Requires(property = Problems.PREFIX + ".served", notEquals = StringUtils.FALSE, defaultValue = StringUtils.TRUE)
@Requires(property = Problems.PREFIX + ".base", pattern = "/.*", defaultValue = Problems.STANDARD_BASE)
final class ProblemDocuments {

    private final ProblemTypes types;

    ProblemDocuments(ProblemTypes types) {
        this.types = types;
    }

    /** All types. */
    @Get
    @Produces({MediaType.APPLICATION_JSON, MediaType.TEXT_HTML, MediaType.TEXT_PLAIN})
    HttpResponse<?> all(HttpRequest<?> request) {
        List<Refusal> all = List.of(Refusal.values());
        Map<String, Object> json =
                Map.of("problems", all.stream().map(this::members).toList());
        return described(request, all, "Problems with idempotency keys", json);
    }

    /** One type. */
    @Get("/{code}")
    @Produces({MediaType.APPLICATION_JSON, MediaType.TEXT_HTML, MediaType.TEXT_PLAIN})
    HttpResponse<?> one(HttpRequest<?> request, @PathVariable String code) {
        Refusal refusal = Refusal.named(code)
                .orElseThrow(() -> new HttpStatusException(HttpStatus.NOT_FOUND, "There is no such problem type"));
        return described(request, List.of(refusal), types.title(refusal), members(refusal));
    }

    private HttpResponse<?> described(
            HttpRequest<?> request, List<Refusal> refusals, String title, Map<String, Object> json) {
        return switch (Representation.of(request.accept())) {
            case JSON -> HttpResponse.ok(json).contentType(MediaType.APPLICATION_JSON_TYPE);
            case HTML ->
                HttpResponse.ok("<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>" + title
                                + "</title></head><body>"
                                + refusals.stream().map(this::html).collect(Collectors.joining()) + "</body></html>")
                        .contentType(MediaType.TEXT_HTML_TYPE);
            case TEXT ->
                HttpResponse.ok(refusals.stream().map(this::text).collect(Collectors.joining("\n\n", "", "\n")))
                        .contentType(MediaType.TEXT_PLAIN_TYPE);
        };
    }

    private Map<String, Object> members(Refusal refusal) {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("type", types.uri(refusal));
        members.put("code", refusal.code());
        members.put("title", types.title(refusal));
        members.put("status", types.status(refusal).getCode());
        members.put("executed", refusal.executed().code());
        members.put("retry", refusal.retry().code());
        members.put("happened", refusal.happened());
        members.put("next", refusal.next());
        return members;
    }

    private String text(Refusal refusal) {
        return refusal.code() + ": " + types.title(refusal) + "\n" + refusal.happened() + "\n" + refusal.next()
                + "\nstatus: " + facts(refusal);
    }

    private String html(Refusal refusal) {
        return "<h1 id=\"" + refusal.code() + "\">" + types.title(refusal) + "</h1><p>" + refusal.happened()
                + "</p><p>" + refusal.next() + "</p><p>Code <code>" + refusal.code() + "</code>, status "
                + facts(refusal) + ".</p>";
    }

    private String facts(Refusal refusal) {
        return types.status(refusal).getCode() + ", executed: "
                + refusal.executed().code() + ", retry: " + refusal.retry().code();
    }
}
