package io.idempotency.runtime.config;

import io.idempotency.OtherCallers;
import io.idempotency.runtime.KeyFormat;

/**
 * The decided policies about an operation's keys.
 *
 * @param required whether a call without one is refused
 * @param format what one in a header has to look like
 * @param otherCallers what one means that another caller uses too
 */
public record KeyPolicy(boolean required, KeyFormat format, OtherCallers otherCallers) {}
