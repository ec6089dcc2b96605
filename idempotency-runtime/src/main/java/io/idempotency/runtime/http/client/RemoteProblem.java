package io.idempotency.runtime.http.client;

import org.jspecify.annotations.Nullable;

/**
 * A problem document of the profile, as another system sent it.
 *
 * @param code what kind of refusal it is
 * @param operation the other system's operation, null when it does not say
 * @param detail its words
 * @param retry {@code same-key}, {@code new-key} or {@code never}
 */
record RemoteProblem(String code, @Nullable String operation, String detail, String retry) {

    static final String IN_PROGRESS = "in-progress";
    private static final String SAME_KEY = "same-key";

    boolean saysSameKey() {
        return SAME_KEY.equals(retry);
    }
}
