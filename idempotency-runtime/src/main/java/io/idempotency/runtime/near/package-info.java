/** Remembers settled records on this node, in front of any store. Nothing but {@code NearStore} knows Caffeine. */
@NullMarked
package io.idempotency.runtime.near;

import org.jspecify.annotations.NullMarked;
