/** Listens to logs for tests. Logback is all that it knows. */
@NullMarked
package io.idempotency.test.logs;

import org.jspecify.annotations.NullMarked;
