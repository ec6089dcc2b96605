/** Abandoned runs that nobody calls again. */
@NullMarked
package io.idempotency.integration.reconcile;

import org.jspecify.annotations.NullMarked;
