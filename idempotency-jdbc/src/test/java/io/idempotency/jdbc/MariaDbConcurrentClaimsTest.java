package io.idempotency.jdbc;

import org.junit.jupiter.api.Tag;

@Tag("thorough")
@Tag("mariadb")
class MariaDbConcurrentClaimsTest extends ConcurrentClaims {
    @Override
    Place place() {
        return Place.mariaDb("mariadb");
    }
}
