/** Limits of new keys in front of every store. */
@NullMarked
package io.idempotency.integration.limits;

import org.jspecify.annotations.NullMarked;
