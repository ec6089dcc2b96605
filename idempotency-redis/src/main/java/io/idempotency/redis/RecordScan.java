package io.idempotency.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.idempotency.runtime.store.RecordId;
import io.idempotency.runtime.store.RecordQuery;
import io.idempotency.runtime.store.StoredRecord;
import io.idempotency.runtime.store.UnreadableRecordException;
import io.lettuce.core.ScanArgs;
import io.lettuce.core.ScanCursor;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks through all records of all masters, a page at a time, for those that no index names because they are settled. It
 * reads every key of the servers once, so it is for operators; it never holds more than a page and the records asked for.
 */
final class RecordScan {

    private static final Logger LOG = LoggerFactory.getLogger(RecordScan.class);
    private static final int PAGE = 1000;

    /** One script looks at no more than so many, because Redis does nothing else meanwhile. */
    private static final int AT_ONCE = 250;

    private final RedisConnection link;
    private final ScriptRunner scripts;
    private final ScanArgs page;

    RecordScan(RedisConnection link, ScriptRunner scripts, String keyPrefix) {
        this.link = link;
        this.scripts = scripts;
        this.page = ScanArgs.Builder.limit(PAGE).match(literally(keyPrefix) + "{*");
    }

    CompletionStage<List<StoredRecord>> oldest(RecordQuery query) {
        Search search = new Search(query);
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

    /** Those of the records that the query asks for, by one script for all of a slot. What cannot be read is left out. */
    CompletableFuture<List<StoredRecord>> matching(RecordQuery query, Collection<RecordId> ids) {
        Map<Integer, List<RecordId>> bySlot =
                ids.stream().collect(Collectors.groupingBy(id -> link.slotOf(scripts.keyOf(id))));
        return all(bySlot.values().stream().flatMap(RecordScan::portions).map(some -> look(query, some)));
    }

    private static Stream<List<RecordId>> portions(List<RecordId> ids) {
        return IntStream.iterate(0, from -> from < ids.size(), from -> from + AT_ONCE)
                .mapToObj(from -> ids.subList(from, Math.min(ids.size(), from + AT_ONCE)));
    }

    /** While a slot moves, its records are asked for one by one. */
    private CompletionStage<List<StoredRecord>> look(RecordQuery query, List<RecordId> ids) {
        return ask(query, ids)
                .exceptionallyCompose(failure -> ids.size() > 1 && ScriptRunner.moving(failure)
                        ? all(ids.stream().map(id -> ask(query, List.of(id))))
                        : CompletableFuture.failedFuture(failure));
    }

    private static CompletableFuture<List<StoredRecord>> all(Stream<CompletionStage<List<StoredRecord>>> asking) {
        List<CompletableFuture<List<StoredRecord>>> asked =
                asking.map(CompletionStage::toCompletableFuture).toList();
        return CompletableFuture.allOf(asked.toArray(CompletableFuture[]::new))
                .thenApply(all -> asked.stream()
                        .map(CompletableFuture::join)
                        .flatMap(List::stream)
                        .toList());
    }

    private CompletionStage<List<StoredRecord>> ask(RecordQuery query, List<RecordId> ids) {
        return scripts.send(
                        Script.LIST,
                        ids.stream().map(scripts::keyOf).toArray(String[]::new),
                        PackedRecord.letter(query.state()),
                        PackedRecord.bytes(Long.toString(query.olderThan().toMillis())),
                        PackedRecord.bytes(query.operation() == null ? "" : query.operation()))
                .thenApply(answer -> {
                    List<?> found = answer.reply();
                    long nowMillis = Math.floorDiv((Long) found.get(0), 1000L);
                    return IntStream.range(0, ids.size())
                            .mapToObj(i -> read(ids.get(i), (byte[]) found.get(i + 1), nowMillis))
                            .flatMap(Optional::stream)
                            .filter(record -> comesLater(query, record))
                            .toList();
                });
    }

    /** One record that cannot be read does not hide the others from an operator. */
    private static Optional<StoredRecord> read(RecordId id, byte[] packed, long nowMillis) {
        if (packed.length == 0) {
            return Optional.empty();
        }
        try {
            if (packed[0] == '!') {
                throw new UnreadableRecordException(id, new String(packed, 1, packed.length - 1, US_ASCII));
            }
            return Optional.of(new PackedRecord(id, packed).toRecord(nowMillis));
        } catch (UnreadableRecordException e) {
            LOG.warn("Left out of a list: {}", e.getMessage());
            return Optional.empty();
        }
    }

    private static boolean comesLater(RecordQuery query, StoredRecord record) {
        return query.after() == null || RecordQuery.Position.of(record).compareTo(query.after()) > 0;
    }

    /** One walk over all masters at once. */
    private final class Search {

        private final RecordQuery query;
        private final TreeSet<StoredRecord> oldest = new TreeSet<>(Comparator.comparing(RecordQuery.Position::of));

        Search(RecordQuery query) {
            this.query = query;
        }

        CompletableFuture<Void> from(RedisClusterAsyncCommands<String, byte[]> master, ScanCursor cursor) {
            return master.scan(cursor, page)
                    .toCompletableFuture()
                    .thenCompose(keys -> matching(
                                    query,
                                    keys.getKeys().stream()
                                            .map(scripts::idOf)
                                            .flatMap(Optional::stream)
                                            .toList())
                            .thenAccept(this::keep)
                            .thenCompose(all ->
                                    keys.isFinished() ? CompletableFuture.completedFuture(null) : from(master, keys)));
        }

        private synchronized void keep(List<StoredRecord> records) {
            oldest.addAll(records);
            while (oldest.size() > query.limit()) {
                oldest.pollLast();
            }
        }

        synchronized List<StoredRecord> found() {
            return List.copyOf(oldest);
        }
    }
}
