/**
 * The store that keeps its records on the heap of one JVM: for tests, for trying things out, and for applications that
 * never run twice. It forgets everything when the JVM ends.
 *
 * <p>Nothing here may import Micronaut or HTTP.
 */
@NullMarked
package io.idempotency.runtime.memory;

import org.jspecify.annotations.NullMarked;
