/**
 * Breaks texts that decide, such as scripts and statements, and looks whether tests notice. Not published.
 */
@NullMarked
package io.idempotency.test.mutation;

import org.jspecify.annotations.NullMarked;
