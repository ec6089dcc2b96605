package io.idempotency.runtime.management;

import io.idempotency.runtime.IdempotencyRecords.AuditEntry;
import io.idempotency.runtime.IdempotencyRecords.Decision;
import io.idempotency.runtime.config.IdempotencyConfiguration;
import io.idempotency.runtime.store.AuditNote;
import io.idempotency.runtime.store.StoredRecord;
import io.micronaut.core.type.Argument;
import io.micronaut.json.JsonMapper;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Writes and reads audit notes as lines of JSON. */
@Singleton
public record AuditTrail(JsonMapper json, IdempotencyConfiguration configuration) {

    private static final Argument<Map<String, String>> TEXTS = Argument.mapOf(Argument.STRING, Argument.STRING);

    /** Returns the note about a decision on the record that the operator saw. */
    public AuditNote note(StoredRecord record, Decision decision) {
        Map<String, String> texts = new LinkedHashMap<>();
        texts.put("at", record.readAt().toString());
        texts.put("operation", record.operation());
        texts.put("fence", Long.toString(decision.fence()));
        texts.put("outcome", decision.outcome().name());
        texts.put("actor", decision.actor());
        texts.put("reason", decision.reason());
        try {
            return new AuditNote(
                    new String(json.writeValueAsBytes(TEXTS, texts), StandardCharsets.UTF_8),
                    configuration.getAuditRetention());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Parses notes. Leaves out those that a later version of the library wrote, rather than failing for all. */
    List<AuditEntry> entries(List<String> notes) {
        return notes.stream().map(this::entry).flatMap(Optional::stream).toList();
    }

    private Optional<AuditEntry> entry(String note) {
        try {
            Map<String, String> texts = json.readValue(note, TEXTS);
            return Optional.of(new AuditEntry(
                    Instant.parse(texts.get("at")),
                    texts.getOrDefault("operation", ""),
                    Long.parseLong(texts.get("fence")),
                    AuditEntry.Outcome.valueOf(texts.getOrDefault("outcome", "")),
                    texts.getOrDefault("actor", ""),
                    texts.getOrDefault("reason", "")));
        } catch (IOException | RuntimeException e) {
            return Optional.empty();
        }
    }
}
