/** Digests, encryption and compression of stored data, under the secrets of {@code application.yml}. */
@NullMarked
package io.idempotency.runtime.secrets;

import org.jspecify.annotations.NullMarked;
