/** Digests, encryption and compression of what is stored, under the secrets of {@code application.yml}. */
@NullMarked
package io.idempotency.runtime.secrets;

import org.jspecify.annotations.NullMarked;
