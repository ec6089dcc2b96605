package io.idempotency.jdbc;

import static io.idempotency.jdbc.Calls.claim;
import static io.idempotency.jdbc.Calls.get;
import static io.idempotency.jdbc.Calls.own;
import static io.idempotency.jdbc.Calls.store;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.IdempotencyStore.ClaimsRefusedException;
import io.micronaut.context.ApplicationContext;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The same of MariaDB, and of MySQL's driver and statements on it. */
@Tag("thorough")
@Tag("mariadb")
class MariaDbDurabilityTest {

    private static final String REQUIRED = "idempotency.jdbc.required-durability";

    @ParameterizedTest
    @ValueSource(strings = {"mariadb", "mysql"})
    void aServerThatAnswersBeforeItWritesIsRefusedLater(String driver) {
        Place place = Place.mariaDb(driver);
        try (ApplicationContext application =
                place.application(REQUIRED, "crash-safe", "idempotency.jdbc.durability-check-interval", "1ms")) {
            IdempotencyStore store = store(application);
            own(store, claim("before"));
            place.run("SET GLOBAL innodb_flush_log_at_trx_commit = 2");
            try {
                assertThatThrownBy(() -> get(store.claim(claim("after"))))
                        .isInstanceOf(ClaimsRefusedException.class)
                        .hasMessageContaining("the body did not run")
                        .hasMessageContaining("innodb_flush_log_at_trx_commit=2");
            } finally {
                place.run("SET GLOBAL innodb_flush_log_at_trx_commit = 1");
            }
            await().ignoreExceptions().untilAsserted(() -> own(store, claim(Place.fresh())));
        }
    }

    @ParameterizedTest
    @CsvSource({"mariadb, ENGINE = MyISAM", "mysql, ENGINE = Aria"})
    void anotherEngineThanInnoDbIsRefusedAtStartUp(String driver, String engine) {
        Place place = Place.mariaDb(driver);
        try (ApplicationContext application = place.application()) {
            store(application);
        }
        place.run("ALTER TABLE " + place.table() + ' ' + engine);
        refused(place, "crash-safe", engine.substring("ENGINE = ".length()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"mariadb", "mysql"})
    void thatAStandbyHasItCannotBeProved(String driver) {
        refused(Place.mariaDb(driver), "replicated", "cannot be proved");
    }

    @ParameterizedTest
    @ValueSource(strings = {"mariadb", "mysql"})
    void aReadOnlyServerIsRefusedAtStartUp(String driver) {
        Place place = Place.mariaDb(driver);
        place.run("SET GLOBAL read_only = 1");
        try (ApplicationContext application = place.application()) {
            assertThatThrownBy(() -> store(application)).hasMessageContaining("takes no writes");
        } finally {
            place.run("SET GLOBAL read_only = 0");
        }
    }

    private static void refused(Place place, String level, String because) {
        try (ApplicationContext application = place.application(REQUIRED, level)) {
            assertThatThrownBy(() -> store(application))
                    .hasMessageContaining("requires durability " + level)
                    .hasMessageContaining(because)
                    .hasMessageContaining("The application does not start");
        }
    }
}
