package io.idempotency.jdbc;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/** Races on every database that needs no profile, and at every isolation level. */
@Tag("thorough")
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

    abstract static class Combined extends ConcurrentClaims {
        @Override
        Object[] properties() {
            return new Object[] {"idempotency.jdbc.pool-size", 4};
        }
    }

    @Nested
    class InPostgresCombined extends Combined {
        @Override
        Place place() {
            return Place.postgres();
        }
    }

    @Nested
    class InPostgresCombinedAtRepeatableRead extends Combined {
        @Override
        Place place() {
            return Place.postgres().with(PostgresStoreTck.REPEATABLE_READ);
        }
    }

    @Nested
    class InPostgresCombinedAtSerializable extends Combined {
        @Override
        Place place() {
            return Place.postgres().with(PostgresStoreTck.SERIALIZABLE);
        }
    }
}
