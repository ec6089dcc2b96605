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
import io.micronaut.security.annotation.Secured;
import java.util.LinkedHashMap;
import java.util.Map;

/** Serves the descriptions of the problem types. The texts of {@link Refusal} need no escaping. */
@Secured("isAnonymous()")
@Controller("${" + Problems.PREFIX + ".base:" + Problems.STANDARD_BASE + "}")
@Requires(property = Problems.PREFIX + ".served", notEquals = StringUtils.FALSE, defaultValue = StringUtils.TRUE)
@Requires(property = Problems.PREFIX + ".base", pattern = "/.*", defaultValue = Problems.STANDARD_BASE)
record ProblemDocuments(ProblemTypes types) {

    @Get("/{code}")
    @Produces({MediaType.APPLICATION_JSON, MediaType.TEXT_HTML, MediaType.TEXT_PLAIN})
    HttpResponse<?> one(HttpRequest<?> request, @PathVariable String code) {
        Refusal refusal = Refusal.named(code)
                .orElseThrow(() -> new HttpStatusException(HttpStatus.NOT_FOUND, "There is no such problem type"));
        String title = types.title(refusal, "");
        return switch (Problem.Form.of(request.accept())) {
            case JSON -> HttpResponse.ok(members(refusal, title)).contentType(MediaType.APPLICATION_JSON_TYPE);
            case HTML ->
                HttpResponse.ok("<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>" + title
                                + "</title></head><body><p>"
                                + text(refusal, title).replace("\n", "<br>") + "</p></body></html>")
                        .contentType(MediaType.TEXT_HTML_TYPE);
            case TEXT -> HttpResponse.ok(text(refusal, title) + "\n").contentType(MediaType.TEXT_PLAIN_TYPE);
        };
    }

    private Map<String, Object> members(Refusal refusal, String title) {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("type", types.uri(refusal));
        members.put("code", refusal.code());
        members.put("title", title);
        members.put("status", types.status(refusal).getCode());
        members.put("executed", refusal.executed().code());
        members.put("retry", refusal.retry().code());
        members.put("happened", refusal.happened());
        members.put("next", refusal.next());
        return members;
    }

    private String text(Refusal refusal, String title) {
        return refusal.code() + ": " + title + "\n" + refusal.happened() + "\n" + refusal.next()
                + "\nstatus: " + types.status(refusal).getCode() + ", executed: "
                + refusal.executed().code() + ", retry: " + refusal.retry().code();
    }
}
