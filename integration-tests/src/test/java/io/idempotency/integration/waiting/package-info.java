/** Duplicates that wait for each other on several nodes, with real servers. */
@NullMarked
package io.idempotency.integration.waiting;

import org.jspecify.annotations.NullMarked;
