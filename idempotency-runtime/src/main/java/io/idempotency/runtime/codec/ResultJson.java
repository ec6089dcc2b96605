package io.idempotency.runtime.codec;

import io.micronaut.json.JsonMapper;

/**
 * Writes and reads results.
 *
 * @param mapper leaves nothing out where that is in our hands
 */
record ResultJson(JsonMapper mapper) {}
