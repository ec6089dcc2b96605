package io.idempotency.redis;

import io.idempotency.runtime.store.RecordId;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Builds keys. A record's tag, the first two digits of its id, decides its cluster slot; each tag has an index. */
record Keys(String prefix) {

    private static final Pattern RECORD = Pattern.compile("\\{([0-9a-f]{2})}([0-9a-f]{62})");

    String of(RecordId id) {
        String digits = id.value();
        return prefix + '{' + digits.substring(0, 2) + '}' + digits.substring(2);
    }

    String indexOf(String tag) {
        return prefix + '{' + tag + "}open";
    }

    String auditOf(RecordId id) {
        return of(id) + ":audit";
    }

    /** Returns the record of a key that has the prefix; empty for a key of another kind. */
    Optional<RecordId> idOf(String key) {
        Matcher record = RECORD.matcher(key.substring(prefix.length()));
        return record.matches() ? Optional.of(new RecordId(record.group(1) + record.group(2))) : Optional.empty();
    }

    String[] of(Script script, RecordId id) {
        String index = indexOf(id.value().substring(0, 2));
        return switch (script) {
            case FIND -> new String[] {of(id)};
            case RESOLVE, ERASE -> new String[] {of(id), index, auditOf(id)};
            default -> new String[] {of(id), index};
        };
    }
}
