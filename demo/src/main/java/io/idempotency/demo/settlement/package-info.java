/** Work that no request asks for: a scheduled job, and the e-mail that it sends. */
@NullMarked
package io.idempotency.demo.settlement;

import org.jspecify.annotations.NullMarked;
