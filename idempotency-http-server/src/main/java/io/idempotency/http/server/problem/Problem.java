package io.idempotency.http.server.problem;

import io.idempotency.IdempotencyException;
import io.idempotency.IdempotencyException.Executed;
import io.idempotency.IdempotencyException.Retry;
import io.idempotency.definition.OperationName;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A refusal as problem details (RFC 9457), with the members of this profile, which RFC 9457 does not define. */
record Problem(HttpStatus status, String type, String title, String detail, Map<String, String> extensions) {

    private static final String OTHERS_RAN =
            " Operations of the same request have run, or have begun to: a new key would run them again.";

    /** Describes a refusal in a request of which other operations may have run. */
    static Problem of(IdempotencyException refusal, ProblemTypes types, boolean othersRan) {
        boolean partly = othersRan && refusal.executed() == Executed.NO;
        Executed executed = partly ? Executed.UNKNOWN : refusal.executed();
        Retry retry = partly && refusal.retry() == Retry.NEW_KEY ? Retry.NEVER : refusal.retry();
        Map<String, String> extensions = new LinkedHashMap<>();
        extensions.put("code", refusal.code());
        if (OperationName.isKebabCase(refusal.operation())) { // without a name it is called after its class
            extensions.put("operation", refusal.operation());
        }
        extensions.put("executed", executed.code());
        extensions.put("retry", retry.code());
        return new Problem(
                HttpStatusClassifier.statusOf(refusal).orElseGet(() -> types.status(refusal.refusal())),
                types.uri(refusal.refusal()),
                types.title(refusal.refusal(), refusal.operation()),
                partly ? refusal.detail() + OTHERS_RAN : refusal.detail(),
                extensions);
    }

    Map<String, Object> members() {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("type", type);
        members.put("title", title);
        members.put("status", status.getCode());
        members.put("detail", detail);
        members.putAll(extensions);
        return members;
    }

    String text() {
        return status.getCode() + " " + title + "\n\n" + detail + "\n\n" + summary("\n") + "\ntype: " + type + "\n";
    }

    String summary(String separator) {
        return listed(": ", separator, "operation", "code", "executed", "retry");
    }

    String header() {
        return "refused;" + listed("=", ";", "code", "executed", "retry");
    }

    private String listed(String equals, String separator, String... names) {
        return Stream.of(names)
                .filter(extensions::containsKey)
                .map(name -> name + equals + extensions.get(name))
                .collect(Collectors.joining(separator));
    }

    /** The forms of a refusal and of a problem type's description. */
    enum Form {
        JSON("\\*/.*|application/(\\*|json|.*\\+json)"),
        TEXT("text/(plain|\\*)"),
        HTML("text/html|application/xhtml\\+xml");

        private static final Pattern LISTED_JSON = Pattern.compile("application/(json|.*\\+json)");

        private final Pattern types;

        Form(String types) {
            this.types = Pattern.compile(types);
        }

        /** Returns the form that the client prefers. As with Micronaut's errors, clients that list JSON get no HTML. */
        static Form of(Collection<MediaType> accepted) {
            boolean json = accepted.stream()
                    .anyMatch(type -> LISTED_JSON.matcher(type.getName()).matches());
            return accepted.stream()
                    .flatMap(type -> Stream.of(values())
                            .filter(form -> form.types.matcher(type.getName()).matches()))
                    .filter(form -> form != HTML || !json)
                    .findFirst()
                    .orElse(JSON);
        }
    }
}
