package io.idempotency.runtime.codec;

import io.micronaut.core.type.Argument;
import io.micronaut.json.JsonMapper;
import java.io.IOException;

/**
 * Writes and reads results.
 *
 * @param mapper leaves nothing out where that is in our hands
 * @param types knows which types the mapper can write and read, where that can be found out beforehand
 */
record ResultJson(JsonMapper mapper, Types types) {

    /** Finds out beforehand. */
    @FunctionalInterface
    interface Types {
        /**
         * Asks for a type.
         *
         * @throws IOException when its values cannot be written or read
         */
        void require(Argument<?> type) throws IOException;
    }
}
