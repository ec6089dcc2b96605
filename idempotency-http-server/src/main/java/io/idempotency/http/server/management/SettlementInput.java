package io.idempotency.http.server.management;

import io.idempotency.runtime.IdempotencyRecords.AuditEntry;
import io.idempotency.runtime.IdempotencyRecords.Decision;
import io.micronaut.core.type.Argument;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.exceptions.HttpStatusException;
import io.micronaut.http.server.util.HttpHostResolver;
import io.micronaut.json.JsonMapper;
import io.micronaut.json.tree.JsonNode;
import java.io.IOException;
import java.security.Principal;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What an operator sent. The result stays JSON: only its operation knows its type.
 *
 * @param principal who is authenticated; null for no one
 */
record SettlementInput(JsonNode body, @Nullable String principal, JsonMapper json) {

    /**
     * Reads a request, and refuses what a page of another site makes an operator's browser send. A
     * browser asks the server before it sends JSON to another origin, and does not ask before it sends
     * a form or a body without a content type.
     */
    static SettlementInput of(HttpRequest<?> request, byte[] body, HttpHostResolver hosts, JsonMapper json) {
        HttpHeaders headers = request.getHeaders();
        String site = headers.get("Sec-Fetch-Site");
        String origin = headers.get(HttpHeaders.ORIGIN);
        // where a browser vouches for the page, a proxy that changes the host does not matter
        boolean foreign = origin != null && !origin.equalsIgnoreCase(hosts.resolve(request));
        if ("cross-site".equalsIgnoreCase(site) || foreign && !"same-origin".equalsIgnoreCase(site)) {
            throw new HttpStatusException(
                    HttpStatus.FORBIDDEN, "A page of another origin may not use this endpoint. Nothing was changed.");
        }
        if (request.getContentType()
                .filter(type -> type.matchesExtension(MediaType.EXTENSION_JSON))
                .isEmpty()) {
            throw new HttpStatusException(
                    HttpStatus.UNSUPPORTED_MEDIA_TYPE, "Send application/json. Nothing was changed.");
        }
        try {
            JsonNode node = json.readValue(body, Argument.of(JsonNode.class));
            if (node != null && node.isObject()) {
                String principal =
                        request.getUserPrincipal().map(Principal::getName).orElse(null);
                return new SettlementInput(node, principal, json);
            }
        } catch (IOException e) {
            throw new IllegalArgumentException("the body is no JSON", e);
        }
        throw new IllegalArgumentException("the body is no JSON object");
    }

    @Nullable
    String text(String name) {
        JsonNode value = body.get(name);
        if (value == null || value.isNull()) {
            return null;
        }
        if (!value.isValueNode()) {
            throw new IllegalArgumentException("'" + name + "' is no text");
        }
        return value.coerceStringValue();
    }

    String required(String name) {
        String text = text(name);
        if (text == null || text.isBlank()) {
            throw new IllegalArgumentException("'" + name + "' is missing");
        }
        return text;
    }

    /** Returns the authenticated operator, or the one that the body names where none is authenticated. */
    String actor() {
        return principal == null ? required("actor") : principal;
    }

    Decision decision() {
        String actor = actor();
        JsonNode result = body.get("result");
        AuditEntry.Outcome outcome = outcome(required("outcome"));
        if (result != null && !result.isNull() && outcome != AuditEntry.Outcome.COMPLETED) {
            throw new IllegalArgumentException("a result belongs to outcome 'completed' only");
        }
        try {
            byte[] written = result == null ? null : json.writeValueAsBytes(result);
            return new Decision(fence(), outcome, written, actor, required("reason"));
        } catch (IOException e) {
            throw new IllegalArgumentException("the result is no JSON: " + e.getMessage(), e);
        }
    }

    private long fence() {
        try {
            return Long.parseLong(required("fence"));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("'fence' is no whole number", e);
        }
    }

    private static AuditEntry.Outcome outcome(String text) {
        try {
            return AuditEntry.Outcome.valueOf(text.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("'outcome' is completed, failed or absent", e);
        }
    }
}
