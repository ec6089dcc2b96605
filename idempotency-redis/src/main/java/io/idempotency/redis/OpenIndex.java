package io.idempotency.redis;

import io.idempotency.runtime.store.RecordId;
import io.idempotency.runtime.store.RecordQuery;
import io.idempotency.runtime.store.StoredRecord;
import io.lettuce.core.Limit;
import io.lettuce.core.Range;
import io.lettuce.core.ScoredValue;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
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
    private final ScriptRunner scripts;
    private final RecordScan scan;

    /** How many entries of each index were looked at since its beginning; torn reads do no harm. */
    private final int[] swept = new int[TAGS.size()];

    /** The index that is looked at next. */
    private volatile int next;

    /** What an index says of a record. */
    private record Entry(long second, RecordId id) {}

    /** A page of each index; complete for the seconds before {@code cut}. */
    private record Pages(List<Entry> entries, long cut) {}

    OpenIndex(RedisConnection link, ScriptRunner scripts, RecordScan scan) {
        this.link = link;
        this.scripts = scripts;
        this.scan = scan;
    }

    CompletionStage<List<StoredRecord>> oldest(RecordQuery query) {
        long from = query.after() == null ? 0 : query.after().claimedAt().getEpochSecond();
        return oldest(query, from, Math.min(MOST, 8 + query.limit() / 32), new ArrayList<>());
    }

    /** Reads on, with larger pages, until enough is found or nothing is left. */
    private CompletionStage<List<StoredRecord>> oldest(
            RecordQuery query, long from, int page, List<StoredRecord> found) {
        return pages(from, page).thenCompose(pages -> {
            List<RecordId> ids = pages.entries().stream()
                    .filter(entry -> entry.second() < pages.cut())
                    .map(Entry::id)
                    .toList();
            return scan.matching(query, ids).thenCompose(records -> {
                found.addAll(records);
                if (pages.cut() == Long.MAX_VALUE || found.size() >= query.limit()) {
                    return CompletableFuture.completedFuture(found.stream()
                            .sorted(Comparator.comparing(RecordQuery.Position::of))
                            .limit(query.limit())
                            .toList());
                }
                // a second with more records than a page has room for needs a larger one
                return oldest(query, pages.cut(), page * 2, found);
            });
        });
    }

    private CompletableFuture<Pages> pages(long from, int size) {
        return all(TAGS.stream()
                        .map(tag -> page(tag, from, size).toCompletableFuture())
                        .toList())
                .thenApply(pages -> new Pages(
                        pages.stream().flatMap(List::stream).toList(),
                        pages.stream()
                                .filter(page -> page.size() == size)
                                .mapToLong(page -> page.get(size - 1).second())
                                .min()
                                .orElse(Long.MAX_VALUE)));
    }

    private CompletionStage<List<Entry>> page(String tag, long from, int size) {
        return link.commands()
                .zrangebyscoreWithScores(
                        scripts.indexOf(tag),
                        Range.from(Range.Boundary.including(from), Range.Boundary.unbounded()),
                        Limit.from(size))
                .thenApply(members ->
                        members.stream().map(member -> entry(tag, member)).toList());
    }

    private static Entry entry(String tag, ScoredValue<byte[]> member) {
        return new Entry((long) member.getScore(), id(tag, member.getValue()));
    }

    private static RecordId id(String tag, byte[] rest) {
        return new RecordId(tag + new String(rest, StandardCharsets.US_ASCII));
    }

    /**
     * Looks at a part of every index and removes what is open no more. Where it may look at fewer entries than there are
     * indexes, the next call goes on with the others.
     *
     * @param limit how many entries are looked at
     * @return how many were removed
     */
    CompletionStage<Integer> sweep(int limit) {
        int each = Math.max(1, limit / TAGS.size());
        int first = next;
        int end = first + Math.min(limit, TAGS.size());
        next = end % TAGS.size();
        return all(IntStream.range(first, end)
                        .mapToObj(i -> sweep(i % TAGS.size(), each).toCompletableFuture())
                        .toList())
                .thenApply(
                        removed -> removed.stream().mapToInt(Integer::intValue).sum());
    }

    private CompletionStage<Integer> sweep(int i, int count) {
        String index = scripts.indexOf(TAGS.get(i));
        int from = swept[i];
        return link.commands().zrange(index, from, from + count - 1L).thenCompose(members -> {
            if (members.isEmpty()) {
                swept[i] = 0;
                return CompletableFuture.completedFuture(0);
            }
            String[] keys = Stream.concat(
                            Stream.of(index), members.stream().map(member -> scripts.keyOf(id(TAGS.get(i), member))))
                    .toArray(String[]::new);
            return scripts.send(Script.SWEEP, keys).thenApply(answer -> {
                int removed = ((Long) answer.reply().get(0)).intValue();
                swept[i] = members.size() < count ? 0 : from + count - removed;
                return removed;
            });
        });
    }

    private static <T> CompletableFuture<List<T>> all(List<CompletableFuture<T>> asked) {
        return CompletableFuture.allOf(asked.toArray(CompletableFuture[]::new))
                .thenApply(all -> asked.stream().map(CompletableFuture::join).toList());
    }
}
