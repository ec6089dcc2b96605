/** Charges and refunds: the demo's two strict operations. */
@NullMarked
package io.idempotency.demo.payments;

import org.jspecify.annotations.NullMarked;
