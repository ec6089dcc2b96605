/** Removes expired records in the background, on every node at once. */
@NullMarked
package io.idempotency.runtime.purge;

import org.jspecify.annotations.NullMarked;
