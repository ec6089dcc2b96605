/** Finds abandoned runs in the background and asks the application for their outcomes. */
@NullMarked
package io.idempotency.runtime.reconcile;

import org.jspecify.annotations.NullMarked;
