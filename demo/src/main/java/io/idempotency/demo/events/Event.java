package io.idempotency.demo.events;

import io.micronaut.core.annotation.Nullable;
import io.micronaut.json.tree.JsonNode;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Size;

/**
 * A webhook as it arrives.
 *
 * @param id the sender's id of the event, the same on every delivery
 * @param type what happened
 * @param data anything; the order of its members means nothing
 */
@Serdeable
public record Event(
        @NotBlank @Size(max = 200) String id,
        @NotBlank @Size(max = 200) String type,
        @Nullable JsonNode data) {}
