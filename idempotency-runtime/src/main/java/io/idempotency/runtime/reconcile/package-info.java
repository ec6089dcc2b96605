/** Finds abandoned runs in the background and asks the application what became of them. */
@NullMarked
package io.idempotency.runtime.reconcile;

import org.jspecify.annotations.NullMarked;
