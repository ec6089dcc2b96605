package io.idempotency.redis;

import io.idempotency.runtime.store.RecordId;
import io.idempotency.runtime.store.RecordQuery;
import io.idempotency.runtime.store.StoredRecord;
import io.idempotency.runtime.store.UnreadableRecordException;
import io.lettuce.core.KeyScanCursor;
import io.lettuce.core.ScanArgs;
import io.lettuce.core.ScanCursor;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks through all records of all masters, a page at a time. It reads every key of the servers once, so it is for
 * operators; it never holds more than a page and the records asked for.
 */
final class RecordScan {

    private static final Logger LOG = LoggerFactory.getLogger(RecordScan.class);
    private static final int PAGE = 250;
    private static final Comparator<StoredRecord> OLDEST_FIRST = Comparator.comparing(RecordQuery.Position::of);

    private final RedisConnection link;
    private final ScriptRunner scripts;
    private final String keyPrefix;
    private final ScanArgs page;

    RecordScan(RedisConnection link, ScriptRunner scripts, String keyPrefix) {
        this.link = link;
        this.scripts = scripts;
        this.keyPrefix = keyPrefix;
        this.page = ScanArgs.Builder.limit(PAGE).match(literally(keyPrefix) + '*');
    }

    CompletionStage<List<StoredRecord>> oldest(RecordQuery query) {
        Search search = new Search(
                List.of(
                        RecordFields.bytes(query.state().name()),
                        RecordFields.bytes(Long.toString(query.olderThan().toMillis())),
                        RecordFields.bytes(query.operation() == null ? "" : query.operation())),
                query);
        return link.masters()
                .thenCompose(masters -> CompletableFuture.allOf(masters.values().stream()
                        .map(master -> search.from(master, ScanCursor.INITIAL))
                        .toArray(CompletableFuture[]::new)))
                .thenApply(all -> search.found());
    }

    /** All keys of the servers' databases: without reading them nobody knows whose they are. */
    CompletionStage<OptionalLong> approximateSize() {
        return link.masters().thenCompose(masters -> {
            List<CompletableFuture<Long>> sizes = masters.values().stream()
                    .map(master -> master.dbsize().toCompletableFuture())
                    .toList();
            return CompletableFuture.allOf(sizes.toArray(CompletableFuture[]::new))
                    .thenApply(all -> OptionalLong.of(
                            sizes.stream().mapToLong(CompletableFuture::join).sum()));
        });
    }

    /** A key as a pattern that matches it only. */
    private static String literally(String text) {
        return text.replaceAll("([*?\\[\\]\\\\^])", "\\\\$1");
    }

    /** One walk over all masters at once. */
    private final class Search {

        private final List<byte[]> filter;
        private final RecordQuery query;
        private final TreeSet<StoredRecord> oldest = new TreeSet<>(OLDEST_FIRST);

        Search(List<byte[]> filter, RecordQuery query) {
            this.filter = filter;
            this.query = query;
        }

        CompletableFuture<Void> from(RedisClusterAsyncCommands<String, byte[]> master, ScanCursor cursor) {
            return master.scan(cursor, page)
                    .toCompletableFuture()
                    .thenCompose(keys -> look(keys)
                            .thenCompose(all ->
                                    keys.isFinished() ? CompletableFuture.completedFuture(null) : from(master, keys)));
        }

        private CompletableFuture<Void> look(KeyScanCursor<String> keys) {
            return CompletableFuture.allOf(keys.getKeys().stream()
                    .map(this::idOf)
                    .flatMap(Optional::stream)
                    .map(this::look)
                    .toArray(CompletableFuture[]::new));
        }

        private CompletableFuture<Void> look(RecordId id) {
            return scripts.run(Script.LIST, id, filter)
                    .thenApply(Reply::record)
                    .exceptionally(failure -> skip(id, failure))
                    .thenAccept(this::keep)
                    .toCompletableFuture();
        }

        private Optional<RecordId> idOf(String key) {
            try {
                return Optional.of(new RecordId(key.substring(keyPrefix.length())));
            } catch (IllegalArgumentException e) {
                LOG.debug("The key {} begins like a record's, but is none", key);
                return Optional.empty();
            }
        }

        private synchronized void keep(@Nullable StoredRecord record) {
            if (record != null && comesLater(record)) {
                oldest.add(record);
                if (oldest.size() > query.limit()) {
                    oldest.pollLast();
                }
            }
        }

        private boolean comesLater(StoredRecord record) {
            return query.after() == null || RecordQuery.Position.of(record).compareTo(query.after()) > 0;
        }

        synchronized List<StoredRecord> found() {
            return List.copyOf(oldest);
        }
    }

    /** One record that cannot be read does not hide the others from an operator. */
    private static @Nullable StoredRecord skip(RecordId id, Throwable failure) {
        if (ScriptRunner.cause(failure) instanceof UnreadableRecordException unreadable) {
            LOG.warn("Left out of a list: {}", unreadable.getMessage());
            return null;
        }
        throw new CompletionException("Record " + id + " could not be listed", failure);
    }
}
