package io.idempotency.http.server.management;

import io.idempotency.runtime.IdempotencyRecords.AuditEntry;
import io.idempotency.runtime.IdempotencyRecords.Decision;
import io.micronaut.json.JsonMapper;
import io.micronaut.json.tree.JsonNode;
import java.io.IOException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What an operator sent. The result stays JSON: only its operation knows its type. */
record SentJson(JsonNode body) {

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

    Decision decision(String actor, JsonMapper json) {
        JsonNode result = body.get("result");
        AuditEntry.Outcome outcome = outcome(required("outcome"));
        if (result != null && !result.isNull() && outcome != AuditEntry.Outcome.COMPLETED) {
            throw new IllegalArgumentException("a result belongs to outcome 'completed' only");
        }
        byte[] written = result == null ? null : bytes(result, json);
        return new Decision(fence(), outcome, written, actor, required("reason"));
    }

    private static byte[] bytes(JsonNode result, JsonMapper json) {
        try {
            return json.writeValueAsBytes(result);
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
