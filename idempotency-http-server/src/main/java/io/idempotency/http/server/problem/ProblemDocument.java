package io.idempotency.http.server.problem;

import io.idempotency.Refusal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The description of one problem type. All its texts are those of {@link Refusal}, which need no escaping. */
record ProblemDocument(
        String type,
        String code,
        String title,
        int status,
        String executed,
        String retry,
        String happened,
        String next) {

    /** No operation has this name. */
    private static final String ALL_OPERATIONS = "";

    static ProblemDocument of(Refusal refusal, ProblemTypes types) {
        return new ProblemDocument(
                types.uri(refusal),
                refusal.code(),
                types.title(refusal, ALL_OPERATIONS),
                types.status(refusal).getCode(),
                refusal.executed().code(),
                refusal.retry().code(),
                refusal.happened(),
                refusal.next());
    }

    Map<String, Object> members() {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("type", type);
        members.put("code", code);
        members.put("title", title);
        members.put("status", status);
        members.put("executed", executed);
        members.put("retry", retry);
        members.put("happened", happened);
        members.put("next", next);
        return members;
    }

    static String text(List<ProblemDocument> documents) {
        return documents.stream().map(ProblemDocument::text).collect(Collectors.joining("\n\n", "", "\n"));
    }

    static String html(List<ProblemDocument> documents) {
        return documents.stream().map(ProblemDocument::html).collect(Collectors.joining());
    }

    private String text() {
        return code + ": " + title + "\n" + happened + "\n" + next + "\nstatus: " + status + ", executed: " + executed
                + ", retry: " + retry;
    }

    private String html() {
        return "<h1 id=\"" + code + "\">" + title + "</h1><p>" + happened + "</p><p>" + next + "</p><p>Code <code>"
                + code + "</code>, status " + status + ", executed: " + executed + ", retry: " + retry + ".</p>";
    }
}
