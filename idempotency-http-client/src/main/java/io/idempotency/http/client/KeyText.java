package io.idempotency.http.client;

import io.idempotency.InvalidIdempotencyKeyException;
import io.idempotency.MissingIdempotencyKeyException;
import org.jspecify.annotations.Nullable;

/** A key as the header carries it: bare, as nearly every server reads it, or quoted, as the draft writes it. */
final class KeyText {

    private static final int MAX_LENGTH = 255;
    private static final char FIRST_VISIBLE = 0x21;
    private static final char LAST_VISIBLE = 0x7e;

    private KeyText() {}

    /** Refuses a key that no server would take, before anything is sent. */
    static String checked(String call, @Nullable String key) {
        if (key == null || key.isBlank()) {
            throw new MissingIdempotencyKeyException(
                    call,
                    null,
                    "its key is null, empty or blank. Nothing was sent. Pass a key.",
                    new UnsentCallException());
        }
        boolean printable = key.chars().allMatch(c -> c == ' ' || c >= FIRST_VISIBLE && c <= LAST_VISIBLE);
        if (!printable || key.length() > MAX_LENGTH) {
            throw new InvalidIdempotencyKeyException(
                    call,
                    null,
                    "its key is not 1 to " + MAX_LENGTH + " printable ASCII characters. Nothing was sent. Pass such a"
                            + " key, for instance a UUID.",
                    new UnsentCallException());
        }
        return key;
    }

    /** What does not survive without quotes is quoted in any case. */
    static String header(String key, boolean quoted) {
        boolean bare = key.chars().noneMatch(c -> c == ' ' || c == ',' || c == '"' || c == '\\');
        return bare && !quoted ? key : '"' + key.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }
}
