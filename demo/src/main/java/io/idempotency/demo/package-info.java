/** A payments service that charges through a provider, and shows what the library does about retries. */
@NullMarked
package io.idempotency.demo;

import org.jspecify.annotations.NullMarked;
