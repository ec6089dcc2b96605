package io.idempotency.demo.events;

import io.micronaut.core.annotation.Nullable;
import io.micronaut.data.annotation.GeneratedValue;
import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import io.micronaut.serde.annotation.Serdeable;

/**
 * One handling of an event.
 *
 * @param seq counts all handlings; null before it is stored
 * @param eventId the sender's id
 * @param type what happened
 */
@Serdeable
@MappedEntity(value = "handled_event", escape = false)
public record HandledEvent(@Nullable @Id @GeneratedValue Long seq, String eventId, String type) {}
