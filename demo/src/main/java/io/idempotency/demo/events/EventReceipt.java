package io.idempotency.demo.events;

import io.micronaut.serde.annotation.Serdeable;

/**
 * The answer to a webhook.
 *
 * @param id the sender's id
 * @param type what happened
 * @param number which handling this was, counted over all events
 * @param status {@code HANDLED}
 */
@Serdeable
public record EventReceipt(String id, String type, long number, String status) {}
