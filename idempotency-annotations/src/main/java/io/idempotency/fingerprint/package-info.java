/** Annotations that keep the fingerprint of a request type the same when one of its properties is added or renamed. */
@NullMarked
package io.idempotency.fingerprint;

import org.jspecify.annotations.NullMarked;
