/** Encodings of values: results as JSON of the application's own {@code JsonMapper}, arguments as fingerprints. */
@NullMarked
package io.idempotency.runtime.codec;

import org.jspecify.annotations.NullMarked;
