/** The management endpoint {@code /idempotency}; an application without micronaut-management does not load it. */
@NullMarked
package io.idempotency.http.server.management;

import org.jspecify.annotations.NullMarked;
