/** What the guide shows as configuration, SQL and commands is understood by what reads it. */
@NullMarked
package io.idempotency.integration.guide;

import org.jspecify.annotations.NullMarked;
