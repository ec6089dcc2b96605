package io.idempotency.jdbc;

import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;

/** On MariaDB, and by the statements for MySQL. */
@Tag("mariadb")
class FencesOnMariaDbTest extends FencesTest {

    static Stream<Place> places() {
        return Stream.of(Place.mariaDb("mariadb"), Place.mySql());
    }
}
