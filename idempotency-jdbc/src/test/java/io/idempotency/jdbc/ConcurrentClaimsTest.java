package io.idempotency.jdbc;

import org.junit.jupiter.api.Nested;

/** Races on every database that needs no profile, and at every isolation level. */
class ConcurrentClaimsTest {

    @Nested
    class InH2 extends ConcurrentClaims {
        @Override
        Place place() {
            return Place.h2();
        }
    }

    @Nested
    class InPostgres extends ConcurrentClaims {
        @Override
        Place place() {
            return Place.postgres();
        }
    }

    @Nested
    class InPostgresAtRepeatableRead extends ConcurrentClaims {
        @Override
        Place place() {
            return Place.postgres().with(PostgresStoreTck.REPEATABLE_READ);
        }
    }

    @Nested
    class InPostgresAtSerializable extends ConcurrentClaims {
        @Override
        Place place() {
            return Place.postgres().with(PostgresStoreTck.SERIALIZABLE);
        }
    }
}
