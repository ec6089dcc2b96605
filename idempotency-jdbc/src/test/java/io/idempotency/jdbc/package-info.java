/** What the JDBC store promises, shown on real databases. */
package io.idempotency.jdbc;
