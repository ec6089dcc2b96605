/**
 * Message listeners whose methods are operations: what their annotations say, and the defaults that keep their messages.
 * Names the annotations of brokers as texts, so that no broker's client has to be there.
 */
@NullMarked
package io.idempotency.processor.messaging;

import org.jspecify.annotations.NullMarked;
