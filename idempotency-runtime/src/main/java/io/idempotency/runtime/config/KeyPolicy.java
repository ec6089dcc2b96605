package io.idempotency.runtime.config;

import io.idempotency.OtherCallers;
import io.idempotency.runtime.KeyFormat;

/**
 * The decided policies of an operation's keys.
 *
 * @param required whether a call without a key is refused
 * @param otherCallers what a key means when another caller uses it too; never {@link OtherCallers#DEFAULT}
 * @param maxNewKeys how many new keys a node claims in the configured window; 0 for no limit
 */
public record KeyPolicy(
        boolean required, KeyFormat format, OtherCallers otherCallers, int maxNewKeys, int maxNewKeysPerCaller) {}
