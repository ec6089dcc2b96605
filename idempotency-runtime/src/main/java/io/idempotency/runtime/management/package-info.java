/** What operators see and do. Nothing here may import HTTP, or a store except through its contract. */
@NullMarked
package io.idempotency.runtime.management;

import org.jspecify.annotations.NullMarked;
