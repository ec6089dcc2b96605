package io.idempotency.http.server.management;

import io.idempotency.runtime.IdempotencyRecords.AuditEntry;
import io.idempotency.runtime.IdempotencyRecords.Audited;
import io.idempotency.runtime.IdempotencyRecords.Page;
import io.idempotency.runtime.store.StoredFailure;
import io.idempotency.runtime.store.StoredRecord;
import io.idempotency.runtime.store.StoredResult;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Writes records as maps for JSON, without keys and results, which may contain personal data. */
final class RecordView {

    private RecordView() {}

    static Map<String, @Nullable Object> page(Page page) {
        Map<String, @Nullable Object> view = new LinkedHashMap<>();
        view.put("records", page.records().stream().map(RecordView::of).toList());
        view.put("next", page.next());
        return view;
    }

    static Map<String, @Nullable Object> of(Audited audited) {
        StoredRecord record = audited.record();
        List<AuditEntry> audit = audited.audit();
        Map<String, @Nullable Object> view = record == null ? new LinkedHashMap<>() : of(record);
        if (record == null) {
            String last = audit.isEmpty() ? null : audit.get(audit.size() - 1).operation();
            view.put("id", audited.id().value());
            view.put("operation", last);
            view.put("state", "absent");
        }
        view.put("audit", audit.stream().map(RecordView::of).toList());
        return view;
    }

    private static Map<String, @Nullable Object> of(StoredRecord record) {
        Map<String, @Nullable Object> view = new LinkedHashMap<>();
        view.put("id", record.id().value());
        view.put("operation", record.operation());
        view.put("state", kebab(record.state()));
        view.put("attempt", record.attempt());
        view.put("fence", record.fence());
        view.put("claimedAt", record.claimedAt().toString());
        view.put("leaseUntil", record.leaseUntil().toString());
        view.put("settledAt", Objects.toString(record.settledAt(), null));
        view.put("expiresAt", Objects.toString(record.expiresAt(), null));
        String vanished = "its owner vanished: the lease is over since " + record.leaseUntil();
        view.put("reason", record.abandoned() ? vanished : record.doubt());
        view.put("outcome", outcome(record));
        return view;
    }

    private static Map<String, Object> of(AuditEntry entry) {
        Map<String, Object> view = new LinkedHashMap<>();
        view.put("at", entry.at().toString());
        view.put("actor", entry.actor());
        view.put("outcome", kebab(entry.outcome()));
        view.put("reason", entry.reason());
        view.put("fence", entry.fence());
        return view;
    }

    private static @Nullable String outcome(StoredRecord record) {
        if (record.result() instanceof StoredResult.Present present) {
            return "a result of " + present.bytes().length + " bytes";
        } else if (record.result() instanceof StoredResult.Omitted omitted) {
            return "the result is not stored: " + omitted.reason();
        }
        StoredFailure failure = record.failure();
        return failure == null ? null : failure.type() + (failure.code() == null ? "" : ", code " + failure.code());
    }

    static String kebab(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
