/**
 * Messages whose calls are refused for a while. Those of RabbitMQ are held; an application without Micronaut RabbitMQ does not
 * load what holds them. The compiler gives listeners of Kafka an error strategy, and one of their own is looked at here.
 */
@NullMarked
package io.idempotency.runtime.messaging;

import org.jspecify.annotations.NullMarked;
