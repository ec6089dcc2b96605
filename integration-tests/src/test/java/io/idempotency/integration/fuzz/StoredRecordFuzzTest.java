package io.idempotency.integration.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import io.idempotency.IdempotencyException;
import io.idempotency.integration.fuzz.Target.Receipt;
import io.micronaut.context.ApplicationContext;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.UUID;

/** A stored record with any bytes in any column: its result as it was, or a refusal. The body never runs again. */
class StoredRecordFuzzTest {

    private static final String[] TEXTS = {
        "fingerprint",
        "state",
        "owner",
        "result_kind",
        "result_omitted",
        "failure_type",
        "failure_message",
        "doubt",
        "audit"
    };
    private static final String[] NUMBERS = {
        "fence", "attempt", "claimed_at_ms", "lease_until_ms", "settled_at_ms", "result_size", "format_version"
    };

    @FuzzTest(maxDuration = "20s")
    void aTamperedRecordIsRefusedAndNeverRunAgain(FuzzedDataProvider data) throws SQLException {
        boolean sealed = data.consumeBoolean();
        ApplicationContext application = sealed ? sealed() : plain();
        Target.Bean bean = application.getBean(Target.Bean.class);
        String key = UUID.randomUUID().toString();
        Receipt first = bean.pay(key, "10");
        int runs = bean.runs();
        String url = application.getRequiredProperty("datasources.default.url", String.class);
        tamper(url, data);
        try {
            assertThat(bean.pay(key, "10")).isEqualTo(first);
        } catch (IdempotencyException refused) {
            assertThat(refused.executed()).as("%s", refused.toString()).isNotNull();
        }
        assertThat(bean.runs()).isEqualTo(runs);
        execute(url, "DELETE FROM idempotency_record");
    }

    private static ApplicationContext plain() {
        return Started.application(
                Target.PROPERTY, true, "idempotency.store", "jdbc", "datasources.default.url", "jdbc:h2:mem:plain");
    }

    private static ApplicationContext sealed() {
        return Started.application(
                Target.PROPERTY,
                true,
                "idempotency.store",
                "jdbc",
                "datasources.default.url",
                "jdbc:h2:mem:sealed",
                "idempotency.encryption.key",
                "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=",
                "idempotency.encryption.required",
                true);
    }

    private static void tamper(String url, FuzzedDataProvider data) throws SQLException {
        int kind = data.consumeInt(0, 2);
        String column = kind == 0 ? "result" : data.pickValue(kind == 1 ? TEXTS : NUMBERS);
        try (Connection connection = DriverManager.getConnection(url, "sa", "");
                PreparedStatement update =
                        connection.prepareStatement("UPDATE idempotency_record SET " + column + " = ?")) {
            switch (kind) {
                case 0 -> update.setBytes(1, data.consumeRemainingAsBytes());
                case 1 -> update.setString(1, data.consumeString(60));
                default -> update.setLong(1, data.consumeInt());
            }
            update.executeUpdate();
        } catch (SQLException e) {
            if (!e.getSQLState().startsWith("22") && !e.getSQLState().startsWith("23")) {
                throw e; // else the column refuses it
            }
        }
    }

    private static void execute(String url, String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url, "sa", "");
                PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.executeUpdate();
        }
    }
}
