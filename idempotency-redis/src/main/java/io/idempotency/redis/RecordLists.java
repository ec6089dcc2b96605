package io.idempotency.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.idempotency.runtime.store.RecordId;
import io.idempotency.runtime.store.RecordQuery;
import io.idempotency.runtime.store.RecordState;
import io.idempotency.runtime.store.Settled;
import io.idempotency.runtime.store.StoredRecord;
import io.idempotency.runtime.store.UnreadableRecordException;
import io.lettuce.core.KeyScanCursor;
import io.lettuce.core.Limit;
import io.lettuce.core.Range;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.ScanArgs;
import io.lettuce.core.ScanCursor;
import io.lettuce.core.ScoredValue;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads records. The scripts keep open ones, in progress or in doubt, in indexes: 256 sorted sets, one for each tag,
 * ordered by the second of the claim. An index names an expired record until {@link #sweep} removes it.
 */
final class RecordLists {

    private static final Logger LOG = LoggerFactory.getLogger(RecordLists.class);
    private static final int LARGEST_PAGE = 4096;
    private static final int SCANNED_PAGE = 250;
    private static final List<String> TAGS =
            IntStream.range(0, 256).mapToObj(tag -> String.format("%02x", tag)).toList();

    private final RedisConnection<?> link;
    private final Scripts scripts;
    private final Keys keys;

    /** The index, and the place in it, at which the next sweep goes on. Races between sweeps do no harm. */
    private volatile int sweptTag;

    private volatile int swept;

    RecordLists(RedisConnection<?> link, Scripts scripts, Keys keys) {
        this.link = link;
        this.scripts = scripts;
        this.keys = keys;
    }

    List<StoredRecord> oldest(RecordQuery query) {
        scripts.readClocks();
        boolean open = query.state() == RecordState.IN_PROGRESS || query.state() == RecordState.IN_DOUBT;
        return open ? indexed(query) : scanned(query);
    }

    /** Reads the indexes, in larger and larger pages, until enough records are found or none is left. */
    private List<StoredRecord> indexed(RecordQuery query) {
        List<StoredRecord> oldest = List.of();
        long from = query.after() == null ? 0 : query.after().claimedAt().getEpochSecond();
        // a second with more records than fit on a page needs a larger page
        for (int size = Math.min(LARGEST_PAGE, 8 + query.limit() / 32);
                from < Long.MAX_VALUE && oldest.size() < query.limit();
                size *= 2) {
            List<List<ScoredValue<byte[]>>> pages = pages(from, size);
            long cut = cut(pages, size);
            List<RecordId> ids = IntStream.range(0, TAGS.size())
                    .boxed()
                    .flatMap(tag -> pages.get(tag).stream()
                            .filter(entry -> entry.getScore() < cut)
                            .map(entry -> id(tag, entry.getValue())))
                    .toList();
            oldest = query.page(Stream.concat(oldest.stream(), read(ids)));
            from = cut;
        }
        return oldest;
    }

    private List<List<ScoredValue<byte[]>>> pages(long from, int size) {
        Range<Long> seconds = Range.from(Range.Boundary.including(from), Range.Boundary.unbounded());
        List<? extends Future<List<ScoredValue<byte[]>>>> asked = TAGS.stream()
                .map(tag -> link.commands().zrangebyscoreWithScores(keys.indexOf(tag), seconds, Limit.from(size)))
                .toList();
        return asked.stream().map(scripts::await).toList();
    }

    /** Returns the second at which the next pages begin: the first of which a full page may have left a record out. */
    private static long cut(List<List<ScoredValue<byte[]>>> pages, int size) {
        return pages.stream()
                .filter(page -> page.size() == size)
                .mapToLong(page -> (long) page.get(size - 1).getScore())
                .min()
                .orElse(Long.MAX_VALUE);
    }

    private static RecordId id(int tag, byte[] member) {
        return new RecordId(TAGS.get(tag) + new String(member, US_ASCII));
    }

    /** Scans all masters. Holds at most one page and the records asked for in memory. */
    private List<StoredRecord> scanned(RecordQuery query) {
        String literally = keys.prefix().replaceAll("([*?\\[\\]\\\\^])", "\\\\$1");
        ScanArgs page = ScanArgs.Builder.limit(SCANNED_PAGE).match(literally + "{*");
        List<StoredRecord> oldest = List.of();
        for (RedisConnection.Master master : link.masters().values()) {
            ScanCursor cursor = ScanCursor.INITIAL;
            do {
                KeyScanCursor<String> found = scripts.await(master.commands().scan(cursor, page));
                Set<RecordId> ids = found.getKeys().stream()
                        .map(keys::idOf)
                        .flatMap(Optional::stream)
                        .collect(Collectors.toSet());
                // a scan may return a key twice, and while its slot moves, two masters do
                Stream<StoredRecord> others = oldest.stream().filter(known -> !ids.contains(known.id()));
                oldest = query.page(Stream.concat(others, read(List.copyOf(ids))));
                cursor = found;
            } while (!cursor.isFinished());
        }
        return oldest;
    }

    /** Reads records together; leaves out those that are missing or cannot be read. */
    private Stream<StoredRecord> read(List<RecordId> ids) {
        List<? extends Future<byte[]>> asked =
                ids.stream().map(id -> link.commands().get(keys.of(id))).toList();
        return IntStream.range(0, ids.size())
                .mapToObj(i -> read(ids.get(i), asked.get(i)))
                .flatMap(Optional::stream);
    }

    private Optional<StoredRecord> read(RecordId id, Future<byte[]> asked) {
        try {
            return look(id, asked);
        } catch (UnreadableRecordException | RedisCommandExecutionException e) {
            LOG.warn("Record {} is left out of a list: {}", id, e.getMessage());
            return Optional.empty();
        }
    }

    /** Reads a record without a script; empty when it is missing or over, or when Redis answers with an error. */
    Optional<StoredRecord> look(RecordId id) {
        return look(
                id,
                link.commands().get(keys.of(id)).exceptionally(error -> null).toCompletableFuture());
    }

    private Optional<StoredRecord> look(RecordId id, Future<byte[]> asked) {
        return Optional.ofNullable(scripts.await(asked))
                .map(packed -> PackedRecord.read(id, packed, scripts.millisAt(id)));
    }

    /** Looks at the next {@code limit} index entries, removes those of records no longer open, and returns how many. */
    int sweep(int limit) {
        int removed = 0;
        int left = limit;
        for (int ended = 0; ended < TAGS.size() && left > 0; ) {
            int tag = sweptTag;
            int from = swept;
            List<byte[]> members =
                    scripts.await(link.commands().zrange(keys.indexOf(TAGS.get(tag)), from, from + left - 1L));
            List<Settled> looked = scripts.runAll(members.stream()
                    .map(member -> scripts.call(Script.SWEEP, id(tag, member)))
                    .toList());
            int gone = Collections.frequency(looked, new Settled.Applied());
            boolean end = members.size() < left;
            sweptTag = end ? (tag + 1) % TAGS.size() : tag;
            swept = end ? 0 : from + left - gone;
            ended += end ? 1 : 0;
            left -= members.size();
            removed += gone;
        }
        return removed;
    }
}
