/**
 * Remembers operations in a relational database. Applications see its configuration ({@code idempotency.jdbc.*}) and choose it with
 * {@code idempotency.store: jdbc}. What is sent is in {@code sql}, with what differs between databases in its {@code Dialect}; where
 * it is sent in {@code connection}. Nothing here may import HTTP, another store or a codec.
 */
@NullMarked
package io.idempotency.jdbc;

import org.jspecify.annotations.NullMarked;
