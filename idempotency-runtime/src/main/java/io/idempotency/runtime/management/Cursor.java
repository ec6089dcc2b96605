package io.idempotency.runtime.management;

import io.idempotency.runtime.store.RecordId;
import io.idempotency.runtime.store.RecordQuery;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/** The place where a page ended, as a text that means nothing to others. */
final class Cursor {

    private Cursor() {}

    static String of(RecordQuery.Position position) {
        String text = position.claimedAt().toEpochMilli() + ":" + position.id().value();
        return Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    static RecordQuery.@Nullable Position position(@Nullable String cursor) {
        if (cursor == null || cursor.isEmpty()) {
            return null;
        }
        try {
            String text = new String(Base64.getUrlDecoder().decode(cursor), StandardCharsets.UTF_8);
            int colon = text.indexOf(':');
            return new RecordQuery.Position(
                    Instant.ofEpochMilli(Long.parseLong(text.substring(0, colon))),
                    new RecordId(text.substring(colon + 1)));
        } catch (RuntimeException e) {
            throw new IllegalArgumentException("'" + cursor + "' is not the 'next' of a page");
        }
    }
}
