package io.idempotency.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.idempotency.redis.connection.RedisConnection;
import io.idempotency.redis.script.PackedRecord;
import io.idempotency.redis.script.RecordParts;
import io.idempotency.redis.script.Script;
import io.idempotency.redis.script.Scripts;
import io.idempotency.runtime.store.RecordId;
import io.idempotency.runtime.store.RecordQuery;
import io.idempotency.runtime.store.StoredRecord;
import io.idempotency.runtime.store.UnreadableRecordException;
import io.lettuce.core.KeyScanCursor;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.ScanArgs;
import io.lettuce.core.ScanCursor;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Supplier;
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
    private final Scripts scripts;
    private final ScanArgs page;

    RecordScan(RedisConnection link, Scripts scripts) {
        this.link = link;
        this.scripts = scripts;
        String literally = scripts.keys().prefix().replaceAll("([*?\\[\\]\\\\^])", "\\\\$1");
        this.page = ScanArgs.Builder.limit(PAGE).match(literally + "{*");
    }

    List<StoredRecord> oldest(RecordQuery query) {
        TreeSet<StoredRecord> oldest = new TreeSet<>(Comparator.comparing(RecordQuery.Position::of));
        for (RedisClusterAsyncCommands<String, byte[]> master : link.masters().values()) {
            KeyScanCursor<String> keys = scripts.await(master.scan(ScanCursor.INITIAL, page));
            while (true) {
                oldest.addAll(matching(
                        query,
                        keys.getKeys().stream()
                                .map(scripts.keys()::idOf)
                                .flatMap(Optional::stream)
                                .toList()));
                while (oldest.size() > query.limit()) {
                    oldest.pollLast();
                }
                if (keys.isFinished()) {
                    break;
                }
                keys = scripts.await(master.scan(keys, page));
            }
        }
        return List.copyOf(oldest);
    }

    /** Those of the records that the query asks for, by one script for all of a slot. What cannot be read is left out. */
    List<StoredRecord> matching(RecordQuery query, Collection<RecordId> ids) {
        return ids.stream()
                .collect(Collectors.groupingBy(id -> link.slotOf(scripts.keys().of(id))))
                .values()
                .stream()
                .flatMap(RecordScan::portions)
                .map(some -> look(query, some))
                .toList()
                .stream()
                .flatMap(Supplier::get)
                .toList();
    }

    private static Stream<List<RecordId>> portions(List<RecordId> ids) {
        return IntStream.iterate(0, from -> from < ids.size(), from -> from + AT_ONCE)
                .mapToObj(from -> ids.subList(from, Math.min(ids.size(), from + AT_ONCE)));
    }

    /** While a slot moves, its records are asked for one by one. */
    private Supplier<Stream<StoredRecord>> look(RecordQuery query, List<RecordId> ids) {
        Supplier<List<?>> asked = scripts.begin(
                Script.LIST,
                ids.stream().map(scripts.keys()::of).toList(),
                RecordParts.letter(query.state()),
                RecordParts.bytes(Long.toString(query.olderThan().toMillis())),
                RecordParts.bytes(query.operation() == null ? "" : query.operation()));
        return () -> {
            try {
                return read(query, ids, asked.get());
            } catch (RedisCommandExecutionException e) {
                if (ids.size() > 1 && Scripts.moving(e)) {
                    return ids.stream().flatMap(id -> look(query, List.of(id)).get());
                }
                throw e;
            }
        };
    }

    private static Stream<StoredRecord> read(RecordQuery query, List<RecordId> ids, List<?> found) {
        long nowMillis = Math.floorDiv((Long) found.get(0), 1000L);
        return IntStream.range(0, ids.size())
                .mapToObj(i -> read(ids.get(i), (byte[]) found.get(i + 1), nowMillis))
                .flatMap(Optional::stream)
                .filter(record ->
                        query.after() == null || RecordQuery.Position.of(record).compareTo(query.after()) > 0);
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
}
