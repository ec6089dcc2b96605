package io.idempotency.http.server.problem;

import io.micronaut.http.MediaType;
import java.util.Collection;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The forms of a refusal and of a problem type's description. */
enum Representation {
    JSON("\\*/.*|application/(\\*|json|.*\\+json)"),
    TEXT("text/(plain|\\*)"),
    HTML("text/html|application/xhtml\\+xml");

    private static final Pattern LISTED_JSON = Pattern.compile("application/(json|.*\\+json)");

    private final Pattern types;

    Representation(String types) {
        this.types = Pattern.compile(types);
    }

    /**
     * Returns the form that the client prefers. As with Micronaut's own errors, HTML is for clients
     * that do not list JSON: browsers.
     *
     * @param accepted what the client accepts, in its order
     */
    static Representation of(Collection<MediaType> accepted) {
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
