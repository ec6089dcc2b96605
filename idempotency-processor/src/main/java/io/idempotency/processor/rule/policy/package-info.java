/** What the annotation says beside the key: durations, failures, the transaction. */
@NullMarked
package io.idempotency.processor.rule.policy;

import org.jspecify.annotations.NullMarked;
