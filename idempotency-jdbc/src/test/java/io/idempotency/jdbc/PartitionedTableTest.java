package io.idempotency.jdbc;

import static io.idempotency.jdbc.Calls.RESULT;
import static io.idempotency.jdbc.Calls.SHORT;
import static io.idempotency.jdbc.Calls.claim;
import static io.idempotency.jdbc.Calls.get;
import static io.idempotency.jdbc.Calls.own;
import static io.idempotency.jdbc.Calls.store;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.idempotency.jdbc.sql.Dialect;
import io.idempotency.jdbc.sql.Schema;
import io.idempotency.jdbc.sql.TableName;
import io.idempotency.runtime.store.ClaimResult;
import io.idempotency.runtime.store.IdempotencyStore;
import io.micronaut.context.ApplicationContext;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The guide says that the table may be partitioned by the hash of its id. */
@Tag("thorough")
class PartitionedTableTest {

    @Test
    void aTablePartitionedByAnotherColumnIsRefusedAtStartUp() {
        Place place = Place.postgres();
        place.run(partitionedByTime(Dialect.POSTGRESQL, place)
                .replaceFirst("\\n\\);", "\n) PARTITION BY RANGE (claimed_at_ms);"));
        place.run("CREATE TABLE " + place.table() + "_0 PARTITION OF " + place.table() + " DEFAULT");
        refused(place);
    }

    @Test
    @Tag("mariadb")
    void aTableOfMariaDbPartitionedByAnotherColumnIsRefusedAtStartUp() {
        for (String driver : List.of("mariadb", "mysql")) {
            Place place = Place.mariaDb(driver);
            for (String statement : partitionedByTime(Dialect.MARIADB, place).split(";\\s*")) {
                place.run(statement);
            }
            place.run("ALTER TABLE " + place.table() + " PARTITION BY HASH (claimed_at_ms) PARTITIONS 4");
            refused(place);
        }
    }

    @Test
    void aTableOfH2WhoseIdIsNotUniqueIsRefusedAtStartUp() {
        Place place = Place.h2();
        place.run(partitionedByTime(Dialect.H2, place));
        refused(place);
    }

    private static String partitionedByTime(Dialect dialect, Place place) {
        return Schema.script(dialect, new TableName(place.table()))
                .replaceAll("(?m)^--.*$", "")
                .replaceFirst("NOT NULL PRIMARY KEY,", "NOT NULL,")
                .replaceFirst("\\n\\)", ",\n  PRIMARY KEY (id, claimed_at_ms)\n)");
    }

    private static void refused(Place place) {
        assertThatThrownBy(() -> {
                    try (ApplicationContext application = place.start("prod")) {
                        store(application);
                    }
                })
                .hasStackTraceContaining("the column id alone is not unique")
                .hasStackTraceContaining("idempotency.jdbc.table");
    }

    @Test
    void aTablePartitionedByIdWorksAsOneThatIsNot() {
        Place place = Place.postgres();
        place.run(Schema.script(Dialect.POSTGRESQL, new TableName(place.table()))
                .replaceFirst("\\n\\);", "\n) PARTITION BY HASH (id);"));
        for (int i = 0; i < 4; i++) {
            place.run("CREATE TABLE " + place.table() + "_" + i + " PARTITION OF " + place.table()
                    + " FOR VALUES WITH (MODULUS 4, REMAINDER " + i + ")");
        }
        try (ApplicationContext application = place.start("prod")) {
            IdempotencyStore store = store(application);
            for (int i = 0; i < 20; i++) {
                String key = "key" + i;
                get(store.complete(own(store, claim(key)), RESULT, SHORT));
                await().until(() -> Calls.find(store, key).isEmpty());
                own(store, claim(key));
                assertThat(get(store.claim(claim(key)))).isInstanceOf(ClaimResult.Duplicate.class);
                get(store.complete(own(store, claim("gone" + i)), RESULT, SHORT));
                await().until(() -> Calls.find(store, "gone" + key.substring(3)).isEmpty());
            }
            place.run("UPDATE " + place.table() + " SET fence = fence - 301000000");
            assertThat(get(store.purge(100))).isEqualTo(20);
        }
    }
}
