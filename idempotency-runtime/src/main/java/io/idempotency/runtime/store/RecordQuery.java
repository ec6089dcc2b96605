package io.idempotency.runtime.store;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Selects the records of {@link IdempotencyStore#list(RecordQuery)}.
 *
 * @param state only those of this state
 * @param operation only those of this operation, null for all
 * @param after only those after this position, null for the first page
 */
public record RecordQuery(
        RecordState state,
        @Nullable String operation,
        Duration olderThan,
        @Nullable Position after,
        int limit) {

    /** Returns the page of this query from all records, for stores that scan them. */
    public List<StoredRecord> page(Stream<StoredRecord> records) {
        return records.filter(this::shows)
                .sorted(Comparator.comparing(Position::of))
                .limit(limit)
                .toList();
    }

    private boolean shows(StoredRecord record) {
        return record.state() == state
                && (operation == null || operation.equals(record.operation()))
                && !record.claimedAt().isAfter(record.readAt().minus(olderThan))
                && (after == null || Position.of(record).compareTo(after) > 0);
    }

    /** A record's position in the order of all lists: by the time of its claim, then by its id. */
    public record Position(Instant claimedAt, RecordId id) implements Comparable<Position> {

        /** Returns the position of a record. */
        public static Position of(StoredRecord record) {
            return new Position(record.claimedAt(), record.id());
        }

        @Override
        public int compareTo(Position other) {
            int byTime = claimedAt.compareTo(other.claimedAt);
            return byTime != 0 ? byTime : id.value().compareTo(other.id.value());
        }
    }
}
