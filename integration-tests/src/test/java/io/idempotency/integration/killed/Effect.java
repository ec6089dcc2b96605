package io.idempotency.integration.killed;

/**
 * What a body did, as it wrote it outside of the library's tables.
 *
 * @param run of the body, new each time it starts; also its result
 * @param key with its {@link Kind}
 * @param call that ran it
 * @param fence of the claim
 * @param startedAtMs when the body started, by the machine's clock
 */
record Effect(String run, String key, String call, long fence, long startedAtMs) {}
