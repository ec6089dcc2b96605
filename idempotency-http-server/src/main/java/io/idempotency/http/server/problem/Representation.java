package io.idempotency.http.server.problem;

import io.micronaut.http.MediaType;
import java.util.Collection;

/** The forms of a refusal and of a problem type's description. */
enum Representation {
    JSON,
    TEXT,
    HTML;

    /**
     * The form that the client prefers. As with Micronaut's own errors, HTML goes to clients that do not list JSON: browsers.
     *
     * @param accepted what the client accepts, in its order
     */
    static Representation of(Collection<MediaType> accepted) {
        boolean json = accepted.stream().anyMatch(Representation::isJson);
        for (MediaType type : accepted) {
            if (isJson(type) || "*".equals(type.getType()) || "application".equals(type.getType()) && any(type)) {
                return JSON;
            } else if ("text".equals(type.getType()) && ("plain".equals(type.getSubtype()) || any(type))) {
                return TEXT;
            } else if (!json && (is(type, MediaType.TEXT_HTML_TYPE) || is(type, MediaType.APPLICATION_XHTML_TYPE))) {
                return HTML;
            }
        }
        return JSON;
    }

    private static boolean isJson(MediaType type) {
        return "application".equals(type.getType())
                && ("json".equals(type.getSubtype()) || type.getSubtype().endsWith("+json"));
    }

    private static boolean any(MediaType type) {
        return "*".equals(type.getSubtype());
    }

    private static boolean is(MediaType type, MediaType other) {
        return type.getType().equals(other.getType()) && type.getSubtype().equals(other.getSubtype());
    }
}
