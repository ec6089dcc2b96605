package io.idempotency.jdbc;

import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/** Records in the caller's transaction on MariaDB, and by the statements for MySQL. */
@Tag("thorough")
@Tag("mariadb")
class TransactionsOnMariaDbTest {

    private static Stream<Named<Supplier<Place>>> both() {
        return Stream.of(Named.of("MariaDB", () -> Place.mariaDb("mariadb")), Named.of("MySQL", Place::mySql));
    }

    @Nested
    class OfTheStore extends TransactionalTest {
        static Stream<Named<Supplier<Place>>> places() {
            return both();
        }
    }

    @Nested
    class OfOperations extends TransactionalOperationTest {
        static Stream<Named<Supplier<Place>>> places() {
            return both();
        }

        static Stream<Named<Supplier<Place>>> placesThatKeepATransactionAfterAFailedStatement() {
            return both();
        }
    }

    @Nested
    class OfPropagation extends PropagationTest {
        static Stream<Named<Supplier<Place>>> places() {
            return both();
        }
    }

    @Nested
    class InAPoolOfOne extends PoolOfOneTest {
        static Stream<Named<Supplier<Place>>> places() {
            return both();
        }
    }
}
