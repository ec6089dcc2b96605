/**
 * The store that keeps its records on the heap of one JVM, for tests, trials, and applications that never run on two
 * nodes. Its records end with the JVM.
 *
 * <p>Nothing here may import Micronaut or HTTP.
 */
@NullMarked
package io.idempotency.runtime.memory;

import org.jspecify.annotations.NullMarked;
