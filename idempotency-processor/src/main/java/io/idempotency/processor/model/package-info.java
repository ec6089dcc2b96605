/**
 * What the processor reads: operations' methods, and types whose type variables are bound. Knows nothing of keys,
 * fingerprints or rules.
 */
@NullMarked
package io.idempotency.processor.model;

import org.jspecify.annotations.NullMarked;
