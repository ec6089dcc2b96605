package io.idempotency.runtime.metrics;

import java.util.List;

/** All meters. {@code docs/monitoring.md} has the same table, and a test compares the two. */
enum Meter {
    CALLS("idempotency.calls", "What calls come to, with body and waiting", "operation", "store", "outcome"),
    ACTIVE("idempotency.calls.active", "Calls of this node that claim or run their body"),
    WAITING("idempotency.calls.waiting", "Calls of this node that wait for a duplicate of theirs"),
    UNPROTECTED("idempotency.calls.unprotected", "Calls without a key that ran unprotected", "operation"),
    DEGRADED(
            "idempotency.outcomes.degraded",
            "Bodies that ran, whose outcome the store could not be told in time",
            "operation",
            "store"),
    STALE("idempotency.outcomes.stale", "Outcomes that came too late and were not recorded", "operation", "store"),
    LEASES_LOST("idempotency.leases.lost", "Bodies that lost their claim", "operation", "store"),
    NOT_RENEWED(
            "idempotency.leases.not.renewed",
            "Renewals of leases that failed or did not come in time",
            "operation",
            "store"),
    RENEWED_LATE(
            "idempotency.leases.renewed.late", "Leases that were renewed after they were over", "operation", "store"),
    RETRIES("idempotency.retries.queued", "Calls whose outcome the store has still to be told", "store"),
    RETRY_MEMORY("idempotency.retries.memory", "Memory that the results of those calls take", "store"),
    RECORDS("idempotency.records", "About how many records the store has", "store"),
    IN_DOUBT("idempotency.records.in.doubt", "Records of all nodes whose outcome is not known", "store"),
    STORE_UP("idempotency.store.up", "1 when the store answers and takes claims, 0 when not", "store"),
    RECORDS_MISSING(
            "idempotency.store.records.missing",
            "Times that a server came back or took over without all records that it had acknowledged, perhaps",
            "store"),
    PURGE("idempotency.purge", "Runs that remove expired records", "store"),
    PURGE_BATCHES("idempotency.purge.batches", "Batches of those runs: the time that they take the store", "store"),
    PURGED("idempotency.purged", "Expired records that were removed", "store");

    final String id;
    final String description;
    final List<String> tags;

    Meter(String id, String description, String... tags) {
        this.id = id;
        this.description = description;
        this.tags = List.of(tags);
    }
}
