package io.idempotency.runtime.failure;

import org.jspecify.annotations.Nullable;

/** The loggable form of an application's exception: types and stack traces, no messages, which may name customers. */
public final class RedactedThrowable extends Throwable {

    private static final int MOST_CAUSES = 8;

    private RedactedThrowable(Throwable failure, @Nullable Throwable cause) {
        super(failure.getClass().getName(), cause, false, true);
        setStackTrace(failure.getStackTrace());
    }

    /** Returns an exception without its message and those of its causes; null for null. */
    public static @Nullable Throwable of(@Nullable Throwable failure) {
        return of(failure, MOST_CAUSES);
    }

    private static @Nullable Throwable of(@Nullable Throwable failure, int most) {
        return failure == null || most == 0 ? null : new RedactedThrowable(failure, of(failure.getCause(), most - 1));
    }

    /** Returns the type of the original exception. */
    @Override
    public String toString() {
        return String.valueOf(getMessage());
    }
}
