/** What only those can compute or read who know a secret of {@code application.yml}. */
@NullMarked
package io.idempotency.runtime.secrets;

import org.jspecify.annotations.NullMarked;
