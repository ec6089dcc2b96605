/** Bad input for tests. The JDK is all that it knows. */
@NullMarked
package io.idempotency.test.fuzz;

import org.jspecify.annotations.NullMarked;
