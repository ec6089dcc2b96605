/** What the exceptions of real clients come to. */
@NullMarked
package io.idempotency.integration.failures;

import org.jspecify.annotations.NullMarked;
