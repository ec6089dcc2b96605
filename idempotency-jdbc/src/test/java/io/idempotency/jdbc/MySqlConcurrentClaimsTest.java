package io.idempotency.jdbc;

import org.junit.jupiter.api.Tag;

@Tag("thorough")
@Tag("mariadb")
class MySqlConcurrentClaimsTest extends ConcurrentClaims {
    @Override
    Place place() {
        return Place.mySql();
    }
}
