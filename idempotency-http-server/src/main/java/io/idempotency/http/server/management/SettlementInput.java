package io.idempotency.http.server.management;

import io.idempotency.runtime.IdempotencyRecords.AuditEntry;
import io.idempotency.runtime.IdempotencyRecords.Decision;
import io.micronaut.core.type.Argument;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.exceptions.HttpStatusException;
import io.micronaut.json.JsonMapper;
import io.micronaut.json.tree.JsonNode;
import java.io.IOException;
import java.security.Principal;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The body of an authenticated operator's request. The result stays JSON: only its operation knows its type. */
record SettlementInput(JsonNode body, @Nullable String principal, JsonMapper json) {

    /** Reads a request. Refuses one that a page of another site made the operator's browser send. */
    static SettlementInput of(HttpRequest<?> request, byte[] body, JsonMapper json) {
        HttpHeaders headers = request.getHeaders();
        String site = headers.get("Sec-Fetch-Site");
        String origin = headers.get(HttpHeaders.ORIGIN);
        String host = headers.get(HttpHeaders.HOST, String.class, "").replaceFirst(":(80|443)$", "");
        // not by a forwarding header, which a page can set
        boolean foreign =
                origin != null && !origin.toLowerCase(Locale.ROOT).endsWith("://" + host.toLowerCase(Locale.ROOT));
        if ("cross-site".equalsIgnoreCase(site) || foreign && !"same-origin".equalsIgnoreCase(site)) {
            throw new HttpStatusException(
                    HttpStatus.FORBIDDEN,
                    "A page of another origin may not use this endpoint. Nothing was changed. Where it is this server's own"
                            + " page, its proxy has to pass the Host header on.");
        }
        if (request.getContentType()
                .filter(type -> type.matchesExtension(MediaType.EXTENSION_JSON))
                .isEmpty()) {
            throw new HttpStatusException(
                    HttpStatus.UNSUPPORTED_MEDIA_TYPE, "Send application/json. Nothing was changed.");
        }
        try {
            JsonNode node = json.readValue(body, Argument.of(JsonNode.class));
            if (node == null || !node.isObject()) {
                throw new IllegalArgumentException("the body is no JSON object");
            }
            return new SettlementInput(
                    node, request.getUserPrincipal().map(Principal::getName).orElse(null), json);
        } catch (IOException e) {
            throw new IllegalArgumentException("the body is no JSON", e);
        }
    }

    @Nullable
    String text(String name) {
        JsonNode value = body.get(name);
        if (value != null && !value.isValueNode()) {
            throw new IllegalArgumentException("'" + name + "' is no text");
        }
        return value == null || value.isNull() ? null : value.coerceStringValue();
    }

    String required(String name) {
        String text = text(name);
        if (text == null || text.isBlank()) {
            throw new IllegalArgumentException("'" + name + "' is missing");
        }
        return text;
    }

    String actor() {
        return principal == null ? required("actor") : principal.substring(0, Math.min(100, principal.length()));
    }

    Decision decision() {
        String actor = actor();
        JsonNode result = body.get("result");
        AuditEntry.Outcome outcome = parsed(
                "outcome",
                "completed, failed or absent",
                text -> AuditEntry.Outcome.valueOf(text.toUpperCase(Locale.ROOT)));
        long fence = parsed("fence", "a whole number", Long::parseLong);
        if (result != null && !result.isNull() && outcome != AuditEntry.Outcome.COMPLETED) {
            throw new IllegalArgumentException("a result belongs to outcome 'completed' only");
        }
        try {
            byte[] written = result == null ? null : json.writeValueAsBytes(result);
            return new Decision(fence, outcome, written, actor, required("reason"));
        } catch (IOException | IllegalStateException e) { // the latter where it is nested too deep
            throw new IllegalArgumentException("the result is no JSON: " + e.getMessage(), e);
        }
    }

    private <T> T parsed(String name, String expected, Function<String, T> parser) {
        String text = required(name);
        try {
            return parser.apply(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("'" + name + "' is not " + expected, e);
        }
    }
}
