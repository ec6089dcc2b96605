package io.idempotency.runtime.http.client;

import io.micronaut.context.annotation.Requires;
import io.micronaut.core.type.Argument;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.client.HttpClient;
import io.micronaut.json.JsonMapper;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads problem documents of the profile, and takes nothing else for one. */
@Singleton
@Requires(classes = HttpClient.class)
final class RemoteProblems {

    private static final Argument<Map<String, Object>> DOCUMENT = Argument.mapOf(String.class, Object.class);
    private static final Set<String> RETRY = Set.of("same-key", "new-key", "never");

    private final JsonMapper json;

    RemoteProblems(JsonMapper json) {
        this.json = json;
    }

    /** Empty for answers of systems that do not speak the profile. */
    Optional<RemoteProblem> of(HttpResponse<?> response) {
        if (response.getContentType().filter(RemoteProblems::isJson).isEmpty()) {
            return Optional.empty();
        }
        return response.getBody(byte[].class).flatMap(this::document).flatMap(RemoteProblems::problem);
    }

    private static boolean isJson(MediaType type) {
        return MediaType.EXTENSION_JSON.equals(type.getExtension())
                || type.getSubtype().endsWith("json");
    }

    private Optional<Map<String, Object>> document(byte[] bytes) {
        try {
            return Optional.ofNullable(json.readValue(bytes, DOCUMENT));
        } catch (IOException e) {
            return Optional.empty(); // not a document: whatever it is, it is left as it is
        }
    }

    private static Optional<RemoteProblem> problem(Map<String, Object> document) {
        String code = text(document, "code");
        String retry = text(document, "retry");
        if (code == null || retry == null || !RETRY.contains(retry) || text(document, "executed") == null) {
            return Optional.empty();
        }
        String detail = text(document, "detail");
        return Optional.of(new RemoteProblem(code, text(document, "operation"), detail == null ? "" : detail, retry));
    }

    private static @Nullable String text(Map<String, Object> document, String name) {
        return document.get(name) instanceof String value ? value : null;
    }
}
