package io.idempotency.jdbc;

import static io.idempotency.jdbc.Calls.store;
import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.jdbc.sql.Dialect;
import io.idempotency.jdbc.sql.Sql;
import io.idempotency.jdbc.sql.Statements;
import io.idempotency.jdbc.sql.Statements.Verb;
import io.idempotency.jdbc.sql.TableName;
import io.micronaut.context.ApplicationContext;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.StringJoiner;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What looks for a few records must not read through millions of others. */
@Tag("thorough")
class PlanTest {

    private static final int COUNT = 20_000;

    @Test
    void postgresqlFindsExpiredRecordsByTheIndex() {
        Place place = filled(Place.postgres());
        assertThat(explained(
                        place,
                        Dialect.POSTGRESQL,
                        sql(place, Dialect.POSTGRESQL).sql(Verb.PURGE)))
                .contains("\"Index Cond\": \"(expires_at_ms <= ");
    }

    @Test
    void postgresqlFindsWhatIsInDoubtByTheIndex() {
        Place place = filled(Place.postgres());
        Statements sql = sql(place, Dialect.POSTGRESQL);
        assertThat(explained(place, Dialect.POSTGRESQL, sql.sql(Verb.LIST_IN_DOUBT)))
                .contains(place.table() + "_open")
                .doesNotContain("Seq Scan");
        assertThat(explained(place, Dialect.POSTGRESQL, sql.sql(Verb.LIST_IN_PROGRESS)))
                .contains(place.table() + "_open")
                .doesNotContain("Seq Scan");
    }

    @Test
    void whatPostgresIsSentForManyFindsTheirRowsByTheKey() {
        Place place = filled(Place.postgres());
        Statements sql = sql(place, Dialect.POSTGRESQL);
        for (Sql one : List.of(
                sql.sql(Verb.CLAIM),
                sql.sql(Verb.FIND),
                sql.sql(Verb.SETTLE),
                sql.sql(Verb.RELEASE),
                sql.sql(Verb.DOUBT))) {
            assertThat(explained(place, Dialect.POSTGRESQL, Objects.requireNonNull(one.together())))
                    .contains(place.table() + "_pkey")
                    .doesNotContain("Seq Scan");
        }
    }

    /** A prepared statement keeps its plan until statistics are taken, and by then the table may have grown by what a minute brings. */
    @Test
    void whatPostgresIsSentForManyFindsTheirRowsByTheKeyAlsoWhereItWasPlannedForAnEmptyTable() throws SQLException {
        Place place = Place.postgres();
        try (ApplicationContext application = place.application()) {
            store(application);
        }
        Statements sql = sql(place, Dialect.POSTGRESQL);
        for (Sql one : List.of(sql.sql(Verb.FIND), sql.sql(Verb.SETTLE), sql.sql(Verb.RELEASE), sql.sql(Verb.DOUBT))) {
            assertThat(kept(place, Objects.requireNonNull(one.together()).text()))
                    .contains(place.table() + "_pkey")
                    .doesNotContain("Seq Scan");
        }
    }

    /** Where nothing is in progress when statistics are taken, that index seems to be empty, while every call adds to it. */
    @Test
    void postgresqlSettlesARecordByItsKeyWhereNothingIsInProgress() {
        Place place = filled(Place.postgres(), COUNT + 1);
        Statements sql = sql(place, Dialect.POSTGRESQL);
        List<Sql> many = Stream.of(
                        sql.sql(Verb.SETTLE),
                        sql.sql(Verb.RELEASE),
                        sql.sql(Verb.DOUBT),
                        sql.sql(Verb.FIND),
                        sql.sql(Verb.CLAIM))
                .map(Sql::together)
                .toList();
        List<Sql> one = List.of(
                sql.sql(Verb.SETTLE),
                sql.sql(Verb.RELEASE),
                sql.sql(Verb.DOUBT),
                sql.sql(Verb.RENEW),
                sql.sql(Verb.SEEN),
                sql.sql(Verb.FIND),
                sql.sql(Verb.CLAIM),
                sql.sql(Verb.RECLAIM),
                sql.sql(Verb.MARK),
                sql.sql(Verb.RESOLVE),
                sql.sql(Verb.FORGET),
                sql.sql(Verb.REMOVE));
        assertThat(Stream.concat(many.stream(), one.stream()))
                .allSatisfy(statement -> assertThat(explained(place, Dialect.POSTGRESQL, statement))
                        .contains(place.table() + "_pkey")
                        .doesNotContain(place.table() + "_open", "Seq Scan"));
    }

    /** However many are in doubt: those that are not listed are neither read nor sorted. */
    @Test
    void h2ListsInTheOrderOfTheIndex() {
        Place place = filled(Place.h2());
        Statements sql = sql(place, Dialect.H2);
        for (Sql list :
                List.of(sql.sql(Verb.LIST_IN_DOUBT), sql.sql(Verb.LIST_IN_PROGRESS), sql.sql(Verb.LIST_SETTLED))) {
            String plan = explained(place, Dialect.H2, list);
            assertThat(plan).doesNotContain("tablescan");
            int states = list == sql.sql(Verb.LIST_IN_DOUBT) ? 2 : 1;
            assertThat(plan.split(place.table() + "_open", -1)).hasSize(states + 1);
            assertThat(plan.split("index sorted", -1)).hasSize(states + 1);
        }
    }

    @Test
    @Tag("mariadb")
    void mariaDbFindsWhatIsInDoubtByTheIndex() {
        Place place = filled(Place.mariaDb("mariadb"));
        assertThat(explained(place, Dialect.MARIADB, sql(place, Dialect.MARIADB).sql(Verb.LIST_IN_DOUBT)))
                .contains("\"key\": \"" + place.table() + "_open\"");
    }

    private static Place filled(Place place) {
        return filled(place, 1_000);
    }

    private static Place filled(Place place, int oneInDoubtOf) {
        try (ApplicationContext application = place.application()) {
            store(application);
        }
        ManyRecords.fill(place, COUNT, oneInDoubtOf);
        return place;
    }

    private static Statements sql(Place place, Dialect dialect) {
        return new Statements(dialect, new TableName(place.table()), true);
    }

    private static String explained(Place place, Dialect dialect, Sql sql) {
        String filled = sql.text();
        boolean isForMany = filled.contains("unnest");
        for (Sql.Param param : sql.slots()) {
            String value = isForMany
                    ? "'{1}'"
                    : switch (param) {
                        case LIMIT -> "100";
                        case LATEST_MS -> "9000000000000";
                        case ANY_OPERATION -> "1";
                        case STATE -> "'IN_DOUBT'";
                        case AFTER_MS -> "-1";
                        case OPERATION, AFTER_ID -> "' '";
                        default -> dialect == Dialect.POSTGRESQL ? "'0'" : "0"; // of any type
                    };
            filled = filled.replaceFirst("\\?", value);
        }
        String explain = dialect == Dialect.H2
                ? "EXPLAIN "
                : dialect == Dialect.POSTGRESQL ? "EXPLAIN (FORMAT JSON) " : "EXPLAIN FORMAT=JSON ";
        return normal(place.ask(explain + filled));
    }

    /** What PostgreSQL goes on with after a few times, whatever the values are. */
    private static String kept(Place place, String text) throws SQLException {
        StringJoiner values = new StringJoiner(", ", "(", ")");
        String numbered = text;
        for (int i = 1; numbered.contains("?"); i++) {
            numbered = numbered.replaceFirst("\\?", "\\$" + i);
            values.add("NULL");
        }
        String url = place.url() + "?preferQueryMode=simple";
        try (Connection connection = DriverManager.getConnection(url, place.user(), place.password());
                Statement statement = connection.createStatement()) {
            statement.execute("SET plan_cache_mode = force_generic_plan");
            statement.execute("PREPARE kept AS " + numbered);
            try (ResultSet rows = statement.executeQuery("EXPLAIN (FORMAT JSON) EXECUTE kept " + values)) {
                rows.next();
                return normal(rows.getString(1));
            }
        }
    }

    private static String normal(String plan) {
        return plan.toLowerCase(Locale.ROOT).replace("index cond", "Index Cond").replace("seq scan", "Seq Scan");
    }
}
