package io.idempotency.redis.script;

import java.time.Duration;

/**
 * Replicas that have to receive a change before it counts as made.
 *
 * @param number how many, 0 for none
 * @param timeout how long they have for it
 */
public record Replicas(int number, Duration timeout) {}
