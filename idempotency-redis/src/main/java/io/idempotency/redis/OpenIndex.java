package io.idempotency.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.idempotency.redis.connection.RedisConnection;
import io.idempotency.redis.script.Script;
import io.idempotency.redis.script.Scripts;
import io.idempotency.runtime.store.RecordId;
import io.idempotency.runtime.store.RecordQuery;
import io.idempotency.runtime.store.StoredRecord;
import io.lettuce.core.Limit;
import io.lettuce.core.Range;
import io.lettuce.core.ScoredValue;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The records that are not settled: in progress, or in doubt. Each of the 256 neighbourhoods has a sorted set of them, in
 * its own slot, by the second of their claims; the scripts keep it with the records in one step. A record that ended
 * unsettled because its retention was over is still named until {@link #sweep} comes by, so every list looks at the records.
 */
final class OpenIndex {

    private static final int MOST = 4096;
    private static final List<String> TAGS =
            IntStream.range(0, 256).mapToObj(tag -> String.format("%02x", tag)).toList();

    private final RedisConnection link;
    private final Scripts scripts;
    private final RecordScan scan;

    /** How many entries of each index were looked at since its beginning; torn reads do no harm. */
    private final int[] swept = new int[TAGS.size()];

    /** The index that is looked at next. */
    private volatile int next;

    OpenIndex(RedisConnection link, Scripts scripts, RecordScan scan) {
        this.link = link;
        this.scripts = scripts;
        this.scan = scan;
    }

    /** Reads on, with larger pages, until enough is found or nothing is left. */
    List<StoredRecord> oldest(RecordQuery query) {
        List<StoredRecord> oldest = List.of();
        long from = query.after() == null ? 0 : query.after().claimedAt().getEpochSecond();
        // a second with more records than a page has room for needs a larger one
        for (int size = Math.min(MOST, 8 + query.limit() / 32);
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
            oldest = query.page(Stream.concat(oldest.stream(), scan.read(ids)));
            from = cut;
        }
        return oldest;
    }

    /** What each index names from a second on. */
    private List<List<ScoredValue<byte[]>>> pages(long from, int size) {
        Range<Long> seconds = Range.from(Range.Boundary.including(from), Range.Boundary.unbounded());
        List<? extends Future<List<ScoredValue<byte[]>>>> asked = TAGS.stream()
                .map(tag ->
                        link.commands().zrangebyscoreWithScores(scripts.keys().indexOf(tag), seconds, Limit.from(size)))
                .toList();
        List<List<ScoredValue<byte[]>>> pages = new ArrayList<>();
        asked.forEach(page -> pages.add(scripts.await(page)));
        return pages;
    }

    /** The second with which the next pages begin: that of the first record that a full page may have left out. */
    private static long cut(List<List<ScoredValue<byte[]>>> pages, int size) {
        return pages.stream()
                .filter(page -> page.size() == size)
                .mapToLong(page -> (long) page.get(size - 1).getScore())
                .min()
                .orElse(Long.MAX_VALUE);
    }

    private static RecordId id(int tag, byte[] rest) {
        return new RecordId(TAGS.get(tag) + new String(rest, US_ASCII));
    }

    /**
     * Looks at a part of every index and removes what is open no more. Where it may look at fewer entries than there are
     * indexes, the next call goes on with the others.
     *
     * @param limit how many entries are looked at
     * @return how many were removed
     */
    int sweep(int limit) {
        int first = next;
        int end = first + Math.min(limit, TAGS.size());
        next = end % TAGS.size();
        return IntStream.range(first, end)
                .map(i -> sweep(i % TAGS.size(), Math.max(1, limit / TAGS.size())))
                .sum();
    }

    private int sweep(int tag, int count) {
        String index = scripts.keys().indexOf(TAGS.get(tag));
        int from = swept[tag];
        List<byte[]> members = scripts.await(link.commands().zrange(index, from, from + count - 1L));
        if (members.isEmpty()) {
            swept[tag] = 0;
            return 0;
        }
        List<String> keys = Stream.concat(
                        Stream.of(index),
                        members.stream().map(member -> scripts.keys().of(id(tag, member))))
                .toList();
        int removed = ((Long) scripts.run(Script.SWEEP, keys).get(0)).intValue();
        swept[tag] = members.size() < count ? 0 : from + count - removed;
        return removed;
    }
}
