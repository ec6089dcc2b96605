package io.idempotency.redis;

import io.idempotency.runtime.store.ResultRejectedException;
import io.idempotency.runtime.store.StoredResult;
import java.util.Map;
import java.util.concurrent.CompletionStage;

/**
 * The largest value that a server takes. It is asked for before a value is sent that could be larger: the server closes the
 * connection on which it is sent one that is, with all that other calls wait for there.
 */
final class ResultLimit {

    private static final String SETTING = "proto-max-bulk-len";

    /** Redis refuses a lower setting. */
    private static final int LOWEST = 1 << 20;

    private ResultLimit() {}

    static boolean fitsAnywhere(StoredResult result) {
        return size(result) < LOWEST;
    }

    private static int size(StoredResult result) {
        return result instanceof StoredResult.Present present ? present.bytes().length : 0;
    }

    /** Fails for a result that the server will never take. */
    static CompletionStage<Void> require(RedisConnection link, StoredResult result) {
        int size = size(result);
        return link.commands().configGet(SETTING).handle((settings, notPermitted) -> {
            if (notPermitted == null && size > most(settings)) {
                throw new ResultRejectedException(
                        "it has " + size + " bytes, and Redis takes " + most(settings) + " (" + SETTING + ")");
            }
            return null;
        });
    }

    private static long most(Map<String, String> settings) {
        String most = settings.get(SETTING);
        return most == null ? Long.MAX_VALUE : Long.parseLong(most);
    }
}
