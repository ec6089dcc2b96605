package io.idempotency.http.server.problem;

import io.micronaut.http.MediaType;
import java.util.Collection;

/** The forms in which a refusal or a problem type can be told. */
enum Representation {
    JSON,
    TEXT,
    HTML;

    /**
     * The client's favourite. As with Micronaut's own errors, HTML is for those who do not take JSON by name: browsers.
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
