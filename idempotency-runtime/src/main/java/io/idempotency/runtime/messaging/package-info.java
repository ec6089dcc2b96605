/**
 * Messages whose calls are refused for now. Those of RabbitMQ are held, by classes that an application without
 * Micronaut RabbitMQ does not load. Kafka listeners get an error strategy from the compiler; strategies of their own
 * are checked here.
 */
@NullMarked
package io.idempotency.runtime.messaging;

import org.jspecify.annotations.NullMarked;
