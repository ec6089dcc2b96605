package io.idempotency.redis;

import io.idempotency.redis.connection.RedisConnection;
import io.idempotency.redis.script.PackedRecord;
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
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks through all records of all masters, a page at a time, for those that no index names because they are settled. It
 * reads every record of the servers once, so it is for operators; it never holds more than a page and the records asked for.
 */
final class RecordScan {

    private static final Logger LOG = LoggerFactory.getLogger(RecordScan.class);
    private static final int PAGE = 250;

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
        List<StoredRecord> oldest = List.of();
        for (RedisClusterAsyncCommands<String, byte[]> master : link.masters().values()) {
            ScanCursor cursor = ScanCursor.INITIAL;
            do {
                KeyScanCursor<String> keys = scripts.await(master.scan(cursor, page));
                List<RecordId> ids = keys.getKeys().stream()
                        .map(scripts.keys()::idOf)
                        .flatMap(Optional::stream)
                        .toList();
                oldest = query.page(Stream.concat(oldest.stream(), read(ids)));
                cursor = keys;
            } while (!cursor.isFinished());
        }
        return oldest;
    }

    /** The records that are there and can be read; all questions are under way together. */
    Stream<StoredRecord> read(List<RecordId> ids) {
        List<? extends Future<byte[]>> asked = ids.stream()
                .map(id -> link.commands().get(scripts.keys().of(id)))
                .toList();
        return IntStream.range(0, ids.size())
                .mapToObj(i -> read(ids.get(i), asked.get(i)))
                .flatMap(Optional::stream);
    }

    /** One record that cannot be read does not hide the others from an operator. */
    private Optional<StoredRecord> read(RecordId id, Future<byte[]> asked) {
        try {
            byte @Nullable [] packed = scripts.await(asked);
            return packed == null
                    ? Optional.empty()
                    : Optional.ofNullable(new PackedRecord(id, packed).toRecord(scripts.millisAt(id)));
        } catch (UnreadableRecordException e) {
            LOG.warn("Left out of a list: {}", e.getMessage());
        } catch (RedisCommandExecutionException e) {
            LOG.warn("Left out of a list: record {}, whose key holds something else ({})", id, e.getMessage());
        }
        return Optional.empty();
    }
}
