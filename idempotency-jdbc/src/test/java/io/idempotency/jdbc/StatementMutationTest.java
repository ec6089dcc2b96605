package io.idempotency.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.jdbc.sql.Dialect;
import io.idempotency.jdbc.sql.Statements;
import io.idempotency.jdbc.sql.Statements.Verb;
import io.idempotency.jdbc.sql.TableName;
import io.idempotency.test.mutation.Survivors;
import io.idempotency.test.mutation.TextMutants;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Whether the contract notices a broken statement. Run it by {@code mvn -Pmutation-stores -pl idempotency-jdbc -am test}; with
 * {@code -Dmutation.of=claim} only that statement is broken.
 */
@Tag("mutation")
class StatementMutationTest {

    /** The others read settings, statistics and times; the tests of those classes are about them. */
    private static final Set<Verb> DECIDING = new TreeSet<>(Set.of(
            Verb.CLAIM,
            Verb.RECLAIM,
            Verb.MARK,
            Verb.FIND,
            Verb.SEEN,
            Verb.SETTLE,
            Verb.RELEASE,
            Verb.DOUBT,
            Verb.RENEW,
            Verb.LIST_IN_PROGRESS,
            Verb.LIST_IN_DOUBT,
            Verb.LIST_SETTLED,
            Verb.RESOLVE,
            Verb.FORGET,
            Verb.AUDIT,
            Verb.PURGE));

    private static final Path EXPLAINED = Path.of("src/test/mutation/statements.txt");

    private static final Set<Verb> OF_POSTGRES = Set.of(Verb.CLAIM, Verb.RECLAIM, Verb.MARK, Verb.PURGE);
    private static final Set<Verb> OF_MARIADB = Set.of(Verb.CLAIM, Verb.RECLAIM, Verb.SETTLE, Verb.RENEW, Verb.PURGE);
    private static final Set<Verb> OF_MYSQL = Set.of(Verb.CLAIM);

    @BeforeEach
    void driver() throws SQLException {
        MutatedStatements.begin();
    }

    @AfterEach
    void noDriver() {
        MutatedStatements.end();
    }

    private static Map<String, String> statements(Dialect dialect, String table, Set<Verb> verbs) {
        Statements all = new Statements(dialect, new TableName(table), true);
        String only = System.getProperty("mutation.of", "");
        Map<String, String> texts = new LinkedHashMap<>();
        for (Verb verb : verbs) {
            String name = name(verb);
            if (all.has(verb)
                    && (only.isEmpty() || List.of(only.split(",")).contains(name))
                    && !texts.containsValue(all.sql(verb).text())) {
                texts.put(name, all.sql(verb).text());
            }
        }
        return texts;
    }

    /** As explanations and the command line name it. */
    private static String name(Verb verb) {
        String[] words = verb.name().toLowerCase(Locale.ROOT).split("_");
        return words[0]
                + Arrays.stream(words)
                        .skip(1)
                        .map(word -> word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1))
                        .collect(Collectors.joining());
    }

    private static void run(Place place, Map<String, String> statements, Survivors survivors) {
        assertThat(survivors.failure()).as("as they are, the statements pass").isEmpty();
        empty(place);
        survivors.learn(MutatedStatements::used);
        statements.forEach((name, text) -> survivors.run(
                place.url().split(":")[1] + " " + name,
                text,
                new TreeMap<>(TextMutants.of(text, TextMutants.SQL)),
                mutant -> {
                    MutatedStatements.install(text, mutant);
                    empty(place);
                }));
        assertThat(survivors.unexplained()).isEmpty();
    }

    private static void empty(Place place) {
        place.run("DELETE FROM " + place.table() + " WHERE state <> 'CLOCK'");
    }

    @Test
    @Timeout(36_000)
    void everyBrokenStatementIsNoticedOnH2() {
        run(
                MutatedH2Tck.PLACE,
                statements(Dialect.H2, MutatedH2Tck.PLACE.table(), DECIDING),
                new Survivors(EXPLAINED, List.of(MutatedH2Tck.class), List.of(BrokenRowTest.OnH2.class)));
    }

    /** What it has of its own. */
    @Test
    @Timeout(36_000)
    void everyBrokenStatementIsNoticedOnPostgres() {
        run(
                MutatedPostgresTck.PLACE,
                statements(Dialect.POSTGRESQL, MutatedPostgresTck.PLACE.table(), OF_POSTGRES),
                new Survivors(
                        EXPLAINED,
                        List.of(MutatedPostgresTck.class),
                        List.of(BrokenRowTest.OnPostgres.class, NotificationsTest.class, NotificationRacesTest.class)));
    }

    /** Those that answer many callers at once. */
    @Test
    @Timeout(36_000)
    void everyBrokenCombinedStatementIsNoticedOnPostgres() {
        Place place = CombinedPostgresTck.PLACE;
        Statements all = new Statements(Dialect.POSTGRESQL, new TableName(place.table()), true);
        Map<String, String> texts = new LinkedHashMap<>();
        String only = System.getProperty("mutation.of", "");
        Map.of("claims", Verb.CLAIM, "finds", Verb.FIND, "settles", Verb.SETTLE).forEach((name, verb) -> {
            if (only.isEmpty() || List.of(only.split(",")).contains(name)) {
                texts.put(name, Objects.requireNonNull(all.sql(verb).together()).text());
            }
        });
        run(
                place,
                texts,
                new Survivors(
                        EXPLAINED,
                        List.of(CombinedPostgresTck.class),
                        List.of(
                                BrokenRowTest.OnPostgresInCompany.class,
                                CombinedTest.class,
                                CombinedTroubleTest.class)));
    }

    /** Those that are others, or that the server reads in another way than H2. */
    @Test
    @Tag("mariadb")
    @Timeout(36_000)
    void everyBrokenStatementIsNoticedOnMariaDb() {
        run(
                MutatedMariaDbTck.PLACE,
                statements(Dialect.MARIADB, MutatedMariaDbTck.PLACE.table(), OF_MARIADB),
                new Survivors(EXPLAINED, List.of(MutatedMariaDbTck.class), List.of(BrokenRowTest.OnMariaDb.class)));
    }

    /** Its insert answers nothing; it shares all else with MariaDB. */
    @Test
    @Tag("mariadb")
    @Timeout(36_000)
    void everyBrokenStatementIsNoticedOnMySql() {
        run(
                MutatedMySqlTck.PLACE,
                statements(Dialect.MYSQL, MutatedMySqlTck.PLACE.table(), OF_MYSQL),
                new Survivors(EXPLAINED, List.of(MutatedMySqlTck.class), List.of(BrokenRowTest.OnMySql.class)));
    }

    /** In one table, whose name is in the statements, and in one application for all mutants. */
    static final class MutatedH2Tck extends JdbcStoreTck {
        static final Place PLACE = Place.h2();

        MutatedH2Tck() {
            super(
                    PLACE,
                    "DATEDIFF(MILLISECOND, TIMESTAMP WITH TIME ZONE '1970-01-01 00:00:00+00', CURRENT_TIMESTAMP AT TIME ZONE '+00')");
        }
    }

    /** The same on PostgreSQL. */
    static final class MutatedPostgresTck extends JdbcStoreTck {
        static final Place PLACE = MutatedStatements.place(Place.postgres());

        MutatedPostgresTck() {
            super(PLACE, "(extract(epoch FROM clock_timestamp()) * 1000)::bigint");
        }
    }

    /** The same with statements for many callers. */
    static final class CombinedPostgresTck extends JdbcStoreTck {
        static final Place PLACE = MutatedStatements.place(Place.postgres());

        CombinedPostgresTck() {
            super(PLACE, "(extract(epoch FROM clock_timestamp()) * 1000)::bigint", PostgresStoreTck.COMBINED);
        }
    }

    /** The same on MariaDB. */
    static final class MutatedMariaDbTck extends JdbcStoreTck {
        static final Place PLACE = MutatedStatements.place(Place.mariaDb("mariadb"));

        MutatedMariaDbTck() {
            super(PLACE, "TIMESTAMPDIFF(MICROSECOND, TIMESTAMP '1970-01-01 00:00:00', UTC_TIMESTAMP(6)) DIV 1000");
        }
    }

    /** The same with the statements and the driver for MySQL. */
    static final class MutatedMySqlTck extends JdbcStoreTck {
        static final Place PLACE = MutatedStatements.place(Place.mySql());

        MutatedMySqlTck() {
            super(PLACE, "TIMESTAMPDIFF(MICROSECOND, TIMESTAMP '1970-01-01 00:00:00', UTC_TIMESTAMP(6)) DIV 1000");
        }
    }
}
