/** Webhook events: a bean method keyed by its argument, below a controller that knows nothing of idempotency. */
@NullMarked
package io.idempotency.demo.events;

import org.jspecify.annotations.NullMarked;
