/** The key: it comes from one place, is there, and tells calls apart. */
@NullMarked
package io.idempotency.processor.rule.key;

import org.jspecify.annotations.NullMarked;
