package io.idempotency.redis.script;

import io.idempotency.runtime.store.RecordId;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Names of keys. The first digits of a record's id are what Redis Cluster makes the slot of, so records of one index are
 * neighbours.
 *
 * @param prefix what all keys begin with
 */
public record Keys(String prefix) {

    /** How many digits of an id its neighbours share. */
    private static final int TAG = 2;

    private static final Pattern RECORD = Pattern.compile("\\{([0-9a-f]{2})}([0-9a-f]{62})");

    /** The key of a record. */
    public String of(RecordId id) {
        String digits = id.value();
        return prefix + '{' + digits.substring(0, TAG) + '}' + digits.substring(TAG);
    }

    /** The index of all records whose ids begin with these digits. */
    public String indexOf(String tag) {
        return prefix + '{' + tag + "}open";
    }

    /** The audit trail of a record. */
    public String auditOf(RecordId id) {
        return of(id) + ":audit";
    }

    /** The record of a key; empty for a key that begins like a record's, but is none. */
    public Optional<RecordId> idOf(String key) {
        Matcher record = RECORD.matcher(key.substring(prefix.length()));
        return record.matches() ? Optional.of(new RecordId(record.group(1) + record.group(2))) : Optional.empty();
    }

    String[] of(Script script, RecordId id) {
        String index = indexOf(id.value().substring(0, TAG));
        return switch (script) {
            case FIND -> new String[] {of(id)};
            case RESOLVE, ERASE -> new String[] {of(id), index, auditOf(id)};
            default -> new String[] {of(id), index};
        };
    }
}
