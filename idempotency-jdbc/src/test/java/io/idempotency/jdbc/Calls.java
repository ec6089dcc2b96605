package io.idempotency.jdbc;

import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.ClaimResult;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.RecordId;
import io.idempotency.runtime.store.Settled;
import io.idempotency.runtime.store.StoredRecord;
import io.idempotency.runtime.store.StoredResult;
import io.micronaut.context.ApplicationContext;
import io.micronaut.core.type.Argument;
import io.micronaut.inject.qualifiers.Qualifiers;
import io.micronaut.transaction.TransactionOperations;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletionStage;

/** What the tests ask of a store, written short. */
final class Calls {

    static final Duration LEASE = Duration.ofSeconds(30);
    static final Duration RETENTION = Duration.ofDays(1);
    static final Duration SHORT = Duration.ofMillis(1);
    static final StoredResult RESULT = new StoredResult.Present("paid".getBytes(StandardCharsets.UTF_8));

    private Calls() {}

    static IdempotencyStore store(ApplicationContext application) {
        return application.getBean(IdempotencyStore.class, Qualifiers.byName("jdbc"));
    }

    static RecordId id(String key) {
        return RecordId.of("test", null, null, key);
    }

    static Claim claim(String key) {
        return claim(key, LEASE, RETENTION, false);
    }

    static Claim claim(String key, Duration lease, Duration retention, boolean takeOver) {
        return new Claim(id(key), "charge", "fingerprint", UUID.randomUUID().toString(), lease, retention, takeOver);
    }

    static Ownership own(IdempotencyStore store, Claim claim) {
        ClaimResult.Acquired acquired = (ClaimResult.Acquired) get(store.claim(claim));
        return new Ownership(claim.id(), claim.owner(), acquired.fence());
    }

    static Optional<StoredRecord> find(IdempotencyStore store, String key) {
        return get(store.find(id(key)));
    }

    static <T> T get(T answer) {
        if (answer instanceof Settled.Unanswered unanswered) {
            throw unanswered.failure();
        }
        return answer;
    }

    static <T> T get(CompletionStage<T> stage) {
        return stage.toCompletableFuture().join();
    }

    /** Of the default data source. */
    static TransactionOperations<Connection> transactions(ApplicationContext application) {
        return application.getBean(
                Argument.of(TransactionOperations.class, Connection.class), Qualifiers.byName("default"));
    }
}
