/**
 * The blocks of the guide, for the tests that run, load or compare them. Not published.
 */
@NullMarked
package io.idempotency.test.guide;

import org.jspecify.annotations.NullMarked;
