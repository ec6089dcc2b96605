package io.idempotency.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.test.servers.ChildJvm;
import io.micronaut.context.ApplicationContext;
import io.micronaut.data.jdbc.runtime.JdbcOperations;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A JVM that dies inside a transactional operation: record and writes are gone together, and the next call runs. */
@Tag("thorough")
class TransactionalCrashTest {

    private static final int KILLED = 137;

    @TempDir
    Path directory;

    static Stream<Named<Function<Path, Place>>> places() {
        return Stream.of(
                Named.of("H2 file", directory -> Place.h2("jdbc:h2:file:" + directory.toAbsolutePath() + "/records")),
                Named.of("PostgreSQL", directory -> Place.postgres()));
    }

    @ParameterizedTest
    @MethodSource("places")
    void aCrashInTheBodyRollsRecordAndWritesBack(Function<Path, Place> places) throws Exception {
        Place place = places.apply(directory);
        String ledger = Place.fresh();
        place.run("CREATE TABLE " + ledger + " (entry VARCHAR(64))");
        dieInTransaction(place, ledger);
        try (ApplicationContext application = place.application()) {
            IdempotencyStore store = Calls.store(application);
            assertThat(place.ask("SELECT count(*) FROM " + ledger)).isEqualTo("0");
            assertThat(Calls.find(store, "key")).isEmpty();
            assertThat(Calls.own(store, Calls.claim("key"))).isNotNull();
        }
    }

    private static void dieInTransaction(Place place, String ledger) throws IOException, InterruptedException {
        Process child = new ProcessBuilder(ChildJvm.command(
                        TransactionalCrashTest.class,
                        place.url(),
                        place.user(),
                        place.password(),
                        place.table(),
                        ledger))
                .inheritIO()
                .start();
        assertThat(child.waitFor()).isEqualTo(KILLED);
    }

    /** The JVM that dies, after the claim and the write and before the commit. */
    public static void main(String[] arguments) throws Exception {
        Place place = new Place(arguments[0], arguments[1], arguments[2], arguments[3]);
        ApplicationContext application = place.application();
        JdbcIdempotencyStore store = application.getBean(JdbcIdempotencyStore.class);
        store.inTransaction(Duration.ZERO, view -> {
            Calls.own(view, Calls.claim("key"));
            application
                    .getBean(JdbcOperations.class)
                    .prepareStatement("INSERT INTO " + arguments[4] + " VALUES ('entry')", statement -> {
                        assertThat(statement.executeUpdate()).isEqualTo(1);
                        return null;
                    });
            Runtime.getRuntime().halt(KILLED);
            return null;
        });
    }
}
