package io.idempotency.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.test.mutation.Survivors;
import io.idempotency.test.mutation.TextMutants;
import java.lang.reflect.RecordComponent;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
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
    private static final Set<String> DECIDING = Set.of(
            "claim",
            "claimWaiting",
            "reclaim",
            "find",
            "complete",
            "fail",
            "release",
            "doubt",
            "renew",
            "listInProgress",
            "listInDoubt",
            "listSettled",
            "resolveComplete",
            "resolveFail",
            "forget",
            "audit",
            "purge");

    private static final Set<String> OF_POSTGRES = Set.of("claim", "claimWaiting", "purge");

    @BeforeEach
    void driver() throws SQLException {
        MutatedStatements.begin();
    }

    @AfterEach
    void noDriver() {
        MutatedStatements.end();
    }

    private static Map<String, String> statements(Dialect dialect, String table, Set<String> names)
            throws ReflectiveOperationException {
        Statements all = Statements.of(dialect, new TableName(table), true);
        String only = System.getProperty("mutation.of", "");
        Map<String, String> texts = new LinkedHashMap<>();
        for (RecordComponent component : Statements.class.getRecordComponents()) {
            if (names.contains(component.getName())
                    && (only.isEmpty() || List.of(only.split(",")).contains(component.getName()))) {
                Object value = component.getAccessor().invoke(all);
                Sql sql = value instanceof Optional<?> optional ? (Sql) optional.orElse(null) : (Sql) value;
                if (sql != null && !texts.containsValue(sql.text())) {
                    texts.put(component.getName(), sql.text());
                }
            }
        }
        return texts;
    }

    private static void run(String server, Map<String, String> statements, List<Class<?>> tests) {
        Survivors survivors = new Survivors(Path.of("src/test/mutation/statements.txt"), tests);
        assertThat(survivors.fails()).as("as they are, the statements pass").isFalse();
        statements.forEach((name, text) -> survivors.run(
                server + " " + name,
                new TreeMap<>(TextMutants.of(text, TextMutants.SQL)),
                mutant -> MutatedStatements.install(text, mutant)));
        assertThat(survivors.unexplained()).isEmpty();
    }

    @Test
    @Timeout(36_000)
    void everyBrokenStatementIsNoticedOnH2() throws ReflectiveOperationException {
        run(
                "H2",
                statements(new H2Dialect(), "idempotency_record", DECIDING),
                List.of(H2StoreTest.class, BrokenRowTest.OnH2.class));
    }

    /** What it has of its own. */
    @Test
    @Timeout(36_000)
    void everyBrokenStatementIsNoticedOnPostgres() throws ReflectiveOperationException {
        run(
                "PostgreSQL",
                statements(new PostgresDialect(), MutatedPostgresTck.TABLE, OF_POSTGRES),
                List.of(MutatedPostgresTck.class));
    }

    /** In one table, whose name is in the statements. */
    static final class MutatedPostgresTck extends JdbcStoreTck {
        static final String TABLE = "idempotency_mutated";

        MutatedPostgresTck() {
            super(
                    new Place(
                            Place.postgres().url(),
                            Place.postgres().user(),
                            Place.postgres().password(),
                            TABLE),
                    "(extract(epoch FROM clock_timestamp()) * 1000)::bigint");
        }
    }
}
