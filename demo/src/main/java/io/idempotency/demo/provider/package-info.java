/** The payment provider that is built in, so that the demo needs nothing else. It books every call it gets and never deduplicates: a double charge would show. */
@NullMarked
package io.idempotency.demo.provider;

import org.jspecify.annotations.NullMarked;
