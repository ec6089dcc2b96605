/** Operations that take what a broker's client delivers. */
@NullMarked
package io.idempotency.integration.messages;

import org.jspecify.annotations.NullMarked;
