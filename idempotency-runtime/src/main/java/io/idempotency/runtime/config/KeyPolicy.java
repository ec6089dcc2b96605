package io.idempotency.runtime.config;

import io.idempotency.OtherCallers;
import io.idempotency.runtime.KeyFormat;

/**
 * The decided policies about an operation's keys.
 *
 * @param required whether a call without one is refused
 * @param otherCallers what one means when another caller uses it too; never {@link OtherCallers#DEFAULT}
 * @param maxNewKeys how many new ones are claimed on a node in a while; 0 for no limit
 */
public record KeyPolicy(
        boolean required, KeyFormat format, OtherCallers otherCallers, int maxNewKeys, int maxNewKeysPerCaller) {

    /** Refuses what is not decided. */
    public KeyPolicy {
        if (otherCallers == OtherCallers.DEFAULT) {
            throw new IllegalArgumentException("DEFAULT is decided by who chose the key before there is a policy");
        }
    }
}
