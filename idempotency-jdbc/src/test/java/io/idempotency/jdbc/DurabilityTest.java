package io.idempotency.jdbc;

import static io.idempotency.jdbc.Calls.claim;
import static io.idempotency.jdbc.Calls.own;
import static io.idempotency.jdbc.Calls.store;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.RecordState;
import io.idempotency.runtime.store.StoreHealth;
import io.idempotency.runtime.store.StoredRecord;
import io.idempotency.test.logs.LogLines;
import io.idempotency.test.servers.PostgresServer;
import io.micronaut.context.ApplicationContext;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A database that forgets what it answered is warned of at start-up, with the setting to change. */
@Tag("thorough")
class DurabilityTest {

    private static PostgresServer keeping;

    private final LogLines log = LogLines.of(Durability.class.getPackageName());

    @BeforeAll
    static void startServer() {
        keeping = PostgresServer.start("fsync=on", "full_page_writes=on");
    }

    @AfterAll
    static void stopServer() {
        keeping.close();
    }

    @AfterEach
    void stopListening() {
        log.close();
    }

    @Test
    void asynchronousCommitOfPostgresIsWarnedOf() {
        start(Place.postgres(keeping).with("?options=-c%20synchronous_commit=off"));
        assertThat(warnings())
                .singleElement()
                .asString()
                .contains("synchronous_commit=off")
                .contains("can run AGAIN")
                .contains("datasources.default")
                .contains("?options=-c%20synchronous_commit=on");
    }

    @Test
    void aDurablePostgresIsNot() {
        start(Place.postgres(keeping));
        assertThat(warnings()).isEmpty();
    }

    @Test
    void aServerWithoutFsyncIsWarnedOfUnlessThatIsDeclared() {
        start(Place.postgres());
        assertThat(warnings()).singleElement().asString().contains("fsync=off").contains("required-durability: none");
        log.clear();
        try (ApplicationContext application =
                Place.postgres().application("idempotency.jdbc.required-durability", "none")) {
            store(application);
        }
        assertThat(warnings()).isEmpty();
    }

    @Test
    void theHealthShowsWhatIsDeclaredAgainstWhatIsThere() {
        try (ApplicationContext application =
                Place.postgres(keeping).application("idempotency.jdbc.required-durability", "crash-safe")) {
            StoreHealth health = Calls.get(store(application).health());
            assertThat(health.usable()).isTrue();
            assertThat(health.details())
                    .containsEntry("requiredDurability", "crash-safe")
                    .containsEntry("actualDurability", "crash-safe")
                    .hasEntrySatisfying(
                            "settings", settings -> assertThat(settings).contains("fsync=on"));
        }
        try (ApplicationContext application = Place.h2().application()) {
            assertThat(Calls.get(store(application).health()).details())
                    .containsEntry("requiredDurability", "none")
                    .containsEntry("actualDurability", "none");
        }
    }

    @Test
    void aServerThatKeepsLessThanBeforeIsNotUsable() {
        Place place = Place.postgres(keeping);
        try (ApplicationContext application = place.application("idempotency.jdbc.required-durability", "crash-safe")) {
            IdempotencyStore store = store(application);
            place.run("ALTER TABLE " + place.table() + " SET UNLOGGED");
            StoreHealth health = Calls.get(store.health());
            assertThat(health.usable()).isFalse();
            assertThat(health.details())
                    .containsEntry("actualDurability", "none")
                    .hasEntrySatisfying(
                            "problem", problem -> assertThat(problem).contains("an UNLOGGED table"));
        }
    }

    @Test
    void aFileOfH2WhoseUserCannotMakeItWriteAtOnceIsWarnedOf(@TempDir Path directory) {
        Place admin = Place.h2("jdbc:h2:file:" + directory.toAbsolutePath() + "/records;WRITE_DELAY=500");
        admin.run("CREATE USER app PASSWORD 'app'");
        admin.run("GRANT ALTER ANY SCHEMA TO app");
        start(new Place(admin.url().replace(";WRITE_DELAY=500", ""), "app", "app", admin.table()));
        assertThat(warnings())
                .singleElement()
                .asString()
                .contains(";WRITE_DELAY=0")
                .contains("datasources.default.url");
    }

    /** Some versions of H2 lose committed rows now and then when they close a file, so this is asked of several. */
    @ParameterizedTest
    @ValueSource(strings = {"", ";RETENTION_TIME=0", ";RETENTION_TIME=0;DB_CLOSE_ON_EXIT=FALSE"})
    void aClaimSurvivesTheOrderlyCloseOfItsFile(String options, @TempDir Path directory) {
        for (int file = 0; file < 8; file++) {
            Place place = Place.h2("jdbc:h2:file:" + directory.toAbsolutePath() + "/records" + file + options);
            start(place);
            try (ApplicationContext application = place.application()) {
                assertThat(Calls.find(store(application), "key"))
                        .get()
                        .extracting(StoredRecord::state)
                        .isEqualTo(RecordState.IN_PROGRESS);
            }
        }
        assertThat(warnings()).isEmpty();
    }

    private static void start(Place place) {
        try (ApplicationContext application = place.application()) {
            own(store(application), claim("key"));
        }
    }

    private List<String> warnings() {
        return log.messages(Level.WARN);
    }
}
