package io.idempotency.integration.reconcile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idempotency.IdempotencyExecutor;
import io.idempotency.runtime.IdempotencyRecords;
import io.idempotency.runtime.IdempotencyRecords.AuditEntry.Outcome;
import io.idempotency.runtime.IdempotencyRecords.Decision;
import io.idempotency.runtime.store.RecordState;
import io.idempotency.runtime.store.StoredRecord;
import io.micronaut.context.ApplicationContext;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A node that has started again has called nothing by hand yet, and its operator sees what is in doubt all the same. */
class ByHandAfterRestartTest {

    private static ApplicationContext node(String database, boolean declared) {
        Map<String, Object> properties = new HashMap<>(Map.of(
                "idempotency.store",
                "jdbc",
                "redis.enabled",
                false,
                "datasources.default.url",
                "jdbc:h2:mem:" + database + ";DB_CLOSE_DELAY=-1"));
        if (declared) {
            properties.put("idempotency.operations.import-invoice.programmatic", true);
        }
        return ApplicationContext.run(properties, "test");
    }

    private static void leaveInDoubt(ApplicationContext node) {
        IdempotencyExecutor executor = node.getBean(IdempotencyExecutor.class);
        assertThatThrownBy(() -> executor.execute("import-invoice", "i-1", "", String.class, () -> {
                    throw new TimeoutException();
                }))
                .isInstanceOf(TimeoutException.class);
    }

    private static StoredRecord found(ApplicationContext node) {
        return node.getBean(IdempotencyRecords.class)
                .list(RecordState.IN_DOUBT, null, Duration.ZERO, null, 10)
                .records()
                .get(0);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whatIsInDoubtIsListedAndSettled(boolean declared) {
        String database = "restart-" + declared;
        try (ApplicationContext node = node(database, declared)) {
            leaveInDoubt(node);
        }
        try (ApplicationContext node = node(database, declared)) {
            StoredRecord record = found(node);
            assertThat(record.operation()).isEqualTo("import-invoice");
            IdempotencyRecords records = node.getBean(IdempotencyRecords.class);
            records.settle(
                    record.id(), new Decision(record.fence(), Outcome.COMPLETED, null, "anna", "found at the bank"));
            assertThat(records.find(record.id()).orElseThrow().record().state()).isEqualTo(RecordState.COMPLETED);
        }
    }

    @Test
    void aResultIsRefusedBeforeItsTypeIsKnownAndTakenAfterTheFirstCall() {
        String database = "restart-result";
        byte[] json = "\"paid\"".getBytes(StandardCharsets.UTF_8);
        try (ApplicationContext node = node(database, true)) {
            leaveInDoubt(node);
        }
        try (ApplicationContext node = node(database, true)) {
            StoredRecord record = found(node);
            Decision decision = new Decision(record.fence(), Outcome.COMPLETED, json, "anna", "found at the bank");
            IdempotencyRecords records = node.getBean(IdempotencyRecords.class);
            assertThatThrownBy(() -> records.settle(record.id(), decision))
                    .hasMessageContainingAll("import-invoice", "has not called it yet", "without a result");
            IdempotencyExecutor executor = node.getBean(IdempotencyExecutor.class);
            assertThat(executor.execute("import-invoice", "i-2", "", String.class, () -> "other"))
                    .isEqualTo("other");
            records.settle(record.id(), decision);
            assertThat(executor.execute("import-invoice", "i-1", "", String.class, () -> "again"))
                    .isEqualTo("paid");
        }
    }
}
