/** Group commit: one statement for the callers that wait for it. For authors of stores; no framework, no driver. */
@NullMarked
package io.idempotency.runtime.group;

import org.jspecify.annotations.NullMarked;
