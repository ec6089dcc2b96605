package io.idempotency.runtime.management;

import io.idempotency.definition.OperationDefinition;
import io.idempotency.runtime.IdempotencyEvent;
import io.idempotency.runtime.IdempotencyRecords;
import io.idempotency.runtime.IdempotencyRecords.Decision;
import io.idempotency.runtime.config.IdempotencyConfiguration;
import io.idempotency.runtime.config.KeyPolicy;
import io.idempotency.runtime.config.KeyScope;
import io.idempotency.runtime.config.OperationBinder;
import io.idempotency.runtime.config.OperationBinder.Bound;
import io.idempotency.runtime.config.Stores;
import io.idempotency.runtime.engine.Listeners;
import io.idempotency.runtime.failure.LogText;
import io.idempotency.runtime.outcome.RecordedFailure;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.RecordId;
import io.idempotency.runtime.store.RecordQuery;
import io.idempotency.runtime.store.RecordState;
import io.idempotency.runtime.store.Resolution;
import io.idempotency.runtime.store.ResultRejectedException;
import io.idempotency.runtime.store.Settled;
import io.idempotency.runtime.store.StoredFailure;
import io.idempotency.runtime.store.StoredRecord;
import io.idempotency.runtime.store.StoredResult;
import io.micronaut.context.event.ApplicationEventPublisher;
import io.micronaut.context.exceptions.ConfigurationException;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds, lists, settles and erases the records of all bound operations, across the stores that these use. */
@Singleton
record RecordsOfOperations(
        OperationBinder operations,
        Stores stores,
        KeyScope scope,
        AuditTrail trail,
        IdempotencyConfiguration configuration,
        CallLog calls,
        ApplicationEventPublisher<IdempotencyEvent.Resolved> events)
        implements IdempotencyRecords {

    private static final Logger LOG = LoggerFactory.getLogger(IdempotencyRecords.class);

    /** The longest age that every store's clock can subtract. */
    private static final Duration LONGEST_AGE = Duration.ofDays(36_500);

    /** Stands for an exception's type. The reason is in the audit trail, not for callers. */
    private static final String FAILED = "settled by an operator";

    private static final StoredResult UNKNOWN = new StoredResult.Omitted("an operator settled it without a result", -1);

    private static final int LONGEST_REASON = 200;

    /** Returns the stores of all operations, and that of an operation which is called by hand and was not called yet. */
    private Set<IdempotencyStore> everyStore() {
        return Stream.concat(
                        operations.all().stream().map(bound -> bound.operation().store()), standard())
                .collect(Collectors.toSet());
    }

    private Stream<IdempotencyStore> standard() {
        try {
            return configuration.isEnabled() ? stores.standardIfChosen().stream() : Stream.empty();
        } catch (ConfigurationException e) { // then it has no calls either
            if (operations.all().isEmpty()) {
                throw e;
            }
            return Stream.empty();
        }
    }

    @Override
    public Page list(
            RecordState state, @Nullable String operation, Duration olderThan, @Nullable String cursor, int limit) {
        if (limit < 1 || limit > LONGEST_PAGE) {
            throw new IllegalArgumentException("limit is " + limit + ", and must be from 1 to " + LONGEST_PAGE);
        }
        if (olderThan.isNegative() || olderThan.compareTo(LONGEST_AGE) > 0) {
            throw new IllegalArgumentException(
                    "olderThan is " + olderThan + ", and must be from 0 to " + LONGEST_AGE.toDays() + " days");
        }
        RecordQuery query = new RecordQuery(state, operation, olderThan, position(cursor), limit + 1);
        List<StoredRecord> found = query.page(everyStore().stream().flatMap(store -> store.list(query).stream()));
        return found.size() <= limit
                ? new Page(found, null)
                : new Page(found.subList(0, limit), cursor(found.get(limit - 1)));
    }

    /** Returns the position where a page ended as an opaque text. */
    private static String cursor(StoredRecord last) {
        String text = last.claimedAt().toEpochMilli() + ":" + last.id().value();
        return Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    private static RecordQuery.@Nullable Position position(@Nullable String cursor) {
        if (cursor == null || cursor.isEmpty()) {
            return null;
        }
        try {
            String[] parts = new String(Base64.getUrlDecoder().decode(cursor), StandardCharsets.UTF_8).split(":", 2);
            return new RecordQuery.Position(Instant.ofEpochMilli(Long.parseLong(parts[0])), new RecordId(parts[1]));
        } catch (RuntimeException e) {
            throw new IllegalArgumentException("'" + cursor + "' is not the 'next' of a page");
        }
    }

    @Override
    public Optional<Audited> find(RecordId id) {
        return inAny(store -> in(store, id));
    }

    /** Asks the stores until one knows. What a store throws counts only if no other knows: it hides nothing of theirs. */
    private <T> Optional<T> inAny(Function<IdempotencyStore, Optional<T>> look) {
        RuntimeException away = null;
        for (IdempotencyStore store : everyStore()) {
            try {
                Optional<T> found = look.apply(store);
                if (found.isPresent()) {
                    return found;
                }
            } catch (RuntimeException e) {
                away = e;
            }
        }
        if (away != null) {
            throw away;
        }
        return Optional.empty();
    }

    @Override
    public Optional<Audited> find(String operation, String key, @Nullable String caller) {
        Bound bound = operations
                .named(operation)
                .orElseThrow(
                        () -> new IllegalArgumentException("this application has no operation '" + operation + "'"));
        OperationDefinition definition = bound.definition();
        KeyPolicy keys = bound.keys();
        return KeyTexts.of(key, definition.keySource(), definition.clientsKey(), keys.format()).stream()
                .map(text -> scope.recordOf(definition.namespace(), text, caller, keys.otherCallers()))
                .flatMap(id -> in(bound.operation().store(), id).stream())
                .findFirst();
    }

    private Optional<Audited> in(IdempotencyStore store, RecordId id) {
        StoredRecord record = store.find(id).orElse(null);
        List<AuditEntry> audit = trail.entries(store.audit(id));
        return record == null && audit.isEmpty() ? Optional.empty() : Optional.of(new Audited(id, record, audit));
    }

    @Override
    public Audited settle(RecordId id, Decision decision) {
        return decided(id, decision.actor(), decision.reason(), (store, seen) -> settle(store, seen, decision));
    }

    private void settle(IdempotencyStore store, StoredRecord seen, Decision decision) {
        if (seen.state() != RecordState.IN_DOUBT || seen.fence() != decision.fence()) {
            throw changed(seen);
        }
        Resolution resolution = resolution(seen, decision);
        try {
            apply(seen, store.resolve(seen.id(), decision.fence(), resolution, trail.note(seen, decision)));
        } catch (ResultRejectedException e) {
            throw new IllegalArgumentException(
                    "store '" + store.name() + "' cannot hold the result. Settle it without a result", e);
        }
        calls.settled(seen.id());
        log(seen, decision, "settled it as " + decision.outcome());
        IdempotencyEvent.Resolved resolved = new IdempotencyEvent.Resolved(
                seen.operation(), seen.id(), decision.fence(), decision.outcome(), decision.actor(), decision.reason());
        Listeners.tell(List.of(events), seen.operation(), publisher -> publisher.publishEvent(resolved));
    }

    private Resolution resolution(StoredRecord record, Decision decision) {
        Duration kept = operations
                .named(record.operation())
                .map(bound -> bound.operation().policy().retention())
                .orElse(configuration.getRetention());
        return switch (decision.outcome()) {
            case COMPLETED -> new Resolution.Complete(result(record, decision), kept);
            case FAILED -> new Resolution.Fail(new StoredFailure(FAILED, null, null), kept);
            case ABSENT -> new Resolution.Forget();
            case ERASED ->
                throw new IllegalArgumentException(
                        "a record is settled as completed, failed or absent. Its data are erased by erase");
        };
    }

    private StoredResult result(StoredRecord record, Decision decision) {
        byte[] json = decision.resultJson();
        Bound bound = operations.named(record.operation()).orElse(null);
        if (json == null) {
            return bound != null
                            && bound.definition().method() != null
                            && bound.definition().resultType().isVoid()
                    ? new StoredResult.Present(bound.operation().stored(record.id(), new byte[0]))
                    : UNKNOWN;
        }
        if (bound == null) {
            throw new IllegalArgumentException("this application has no operation '" + record.operation()
                    + "', so the result cannot be checked. Settle it where the operation is, or without a result");
        }
        if (bound.definition().method() == null
                && bound.definition().resultType().isVoid()) {
            throw new IllegalArgumentException("operation '" + record.operation()
                    + "' is called by hand, and this node has not called it yet for a result, so it cannot be checked."
                    + " Settle it on a node that has, or without a result");
        }
        byte[] encoded = encoded(bound, json);
        int most = bound.operation().policy().maxResultSize();
        if (encoded.length > most) {
            throw new IllegalArgumentException(
                    "the result of operation '" + record.operation() + "' has " + encoded.length
                            + " bytes, more than the " + most + " of max-result-size. Settle it without a result");
        }
        return new StoredResult.Present(bound.operation().stored(record.id(), encoded));
    }

    /** Encodes the result. Shortens a mapper's message, which may repeat all of the input. */
    private static byte[] encoded(Bound bound, byte[] json) {
        try {
            return bound.operation().codec().encodeJson(json);
        } catch (IOException | RuntimeException e) {
            throw new IllegalArgumentException(
                    "the result does not fit operation '" + bound.definition().name() + "': "
                            + RecordedFailure.shortened(String.valueOf(e.getMessage()), LONGEST_REASON),
                    e);
        }
    }

    @Override
    public Audited erase(RecordId id, String actor, String reason) {
        return decided(id, actor, reason, (store, seen) -> {
            Decision decision = new Decision(seen.fence(), AuditEntry.Outcome.ERASED, null, actor, reason);
            apply(seen, store.erase(id, trail.note(seen, decision)));
            log(seen, decision, "erased its data");
        });
    }

    private Audited decided(
            RecordId id, String actor, String reason, BiConsumer<IdempotencyStore, StoredRecord> decision) {
        require("actor", actor, 100);
        require("reason", reason, 500);
        Supplier<Audited> decided = inAny(store -> store.find(id).<Supplier<Audited>>map(seen -> () -> {
                    decision.accept(store, seen);
                    return in(store, id).orElseGet(() -> new Audited(id, null, List.of()));
                }))
                .orElseThrow(() -> absent(id));
        return decided.get();
    }

    private static void apply(StoredRecord seen, Settled settled) {
        if (settled instanceof Settled.Stale stale) {
            throw stale.current() == null ? absent(seen.id()) : changed(stale.current());
        }
    }

    private static void log(StoredRecord seen, Decision decision, String what) {
        LOG.info(
                "Idempotent operation '{}' [key {}]: {} {} (fence {}): {}",
                seen.operation(),
                seen.id(),
                LogText.oneLine(decision.actor()),
                what,
                decision.fence(),
                LogText.oneLine(decision.reason()));
    }

    private static RecordChangedException absent(RecordId id) {
        return new RecordChangedException("Record " + id + " is absent. Nothing was changed.");
    }

    private static RecordChangedException changed(StoredRecord now) {
        return new RecordChangedException("Record " + now.id() + " is " + now.state() + " with fence " + now.fence()
                + ". Nothing was changed. Look at it again before you decide.");
    }

    private static void require(String name, @Nullable String text, int longest) {
        if (text == null || text.isBlank() || text.length() > longest) {
            throw new IllegalArgumentException(
                    name + " is missing, or longer than " + longest + " characters: it is kept in the audit trail");
        }
    }
}
