/** Duplicates that wait for each other on several nodes, with real servers. */
@NullMarked
package io.idempotency.demo.waiting;

import org.jspecify.annotations.NullMarked;
