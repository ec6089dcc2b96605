/**
 * Messages of RabbitMQ whose calls are refused for a while; an application without Micronaut RabbitMQ does not load them.
 * Micronaut Kafka needs nothing here: the compiler gives its listeners an error strategy.
 */
@NullMarked
package io.idempotency.runtime.messaging;

import org.jspecify.annotations.NullMarked;
