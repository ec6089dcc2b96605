/**
 * Remembers operations in a relational database, through the connections of micronaut-data-jdbc. Applications see its
 * configuration ({@code idempotency.jdbc.*}) and choose it with {@code idempotency.store: jdbc}; what differs between
 * databases is in {@code Dialect} and its subclasses, one for each.
 *
 * <p>Nothing here may import HTTP, another store or a codec.
 */
@NullMarked
package io.idempotency.jdbc;

import org.jspecify.annotations.NullMarked;
