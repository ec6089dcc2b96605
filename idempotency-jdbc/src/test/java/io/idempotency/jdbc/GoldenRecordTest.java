package io.idempotency.jdbc;

import static io.idempotency.jdbc.Calls.get;
import static io.idempotency.jdbc.Calls.store;
import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.RecordId;
import io.idempotency.runtime.store.RecordState;
import io.idempotency.runtime.store.StoredFailure;
import io.idempotency.runtime.store.StoredRecord;
import io.idempotency.runtime.store.StoredResult;
import io.micronaut.context.ApplicationContext;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Rows as released versions wrote them, letter by letter. They stay readable for as long as their format is supported:
 * never change one, add those of a new format. A row that is not read any more is a key that every deployment forgets.
 */
@Tag("any-jdk")
class GoldenRecordTest {

    private static final RecordId ID = RecordId.of("golden", "tenant", "caller", "kéy");
    private static final String FINGERPRINT = "v1:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";
    private static final String OWNER = "5d1f7f0e-8d2b-4c55-9a37-0c1f4f6f2b11";
    private static final StoredResult PAID =
            new StoredResult.Present("{\"paid\":\"12.50 €\"}".getBytes(StandardCharsets.UTF_8));
    private static final StoredResult OMITTED = new StoredResult.Omitted("it has 70000 bytes", 70_000);
    private static final StoredFailure DECLINED = new StoredFailure("com.example.Declined", "no fünds", "402");
    private static final Duration DAY = Duration.ofDays(1);

    private static final String COLUMNS = "id, operation, fingerprint, state, owner, fence, attempt, claimed_at_ms,"
            + " lease_until_ms, settled_at_ms, expires_at_ms, result_kind, result, result_omitted, result_size,"
            + " failure_type, failure_message, failure_code, doubt, format_version";

    /** All of them were claimed by the same call. */
    private static final String CLAIMED = "'1b71b242603f06fbc1d517f393fa2b7234f10759f92f2a570e2335061d05c12a',"
            + " 'charge-payment', 'v1:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef', '%s',"
            + " '5d1f7f0e-8d2b-4c55-9a37-0c1f4f6f2b11', 1790000000000000, 2, 1790000000000, %s, %s, 9000000000000, ";

    private static final String NO_OUTCOME = "NULL, NULL, NULL, NULL, NULL, NULL, NULL, ";
    private static final String PAID_ROW =
            "'PRESENT', {bytes}7B2270616964223A2231322E353020E282AC227D{end}, NULL, 20, NULL, NULL, NULL, NULL";
    private static final String OMITTED_ROW = "'OMITTED', NULL, 'it has 70000 bytes', 70000, NULL, NULL, NULL, NULL";
    private static final String DECLINED_ROW =
            "NULL, NULL, NULL, NULL, 'com.example.Declined', 'no fünds', '402', NULL";

    private static final String RUNNING =
            CLAIMED.formatted("IN_PROGRESS", "8000000000000", "NULL") + NO_OUTCOME + "NULL";
    private static final String DOUBTED =
            CLAIMED.formatted("IN_DOUBT", "1790000030000", "1790000010000") + NO_OUTCOME + "'the answer was lost'";
    private static final String COMPLETED = CLAIMED.formatted("COMPLETED", "1790000030000", "8999913600000");
    private static final String FAILED = CLAIMED.formatted("FAILED", "1790000030000", "8999913600000");

    @Nested
    class OnH2 extends Golden {
        OnH2() {
            super(Place::h2, "X'");
        }
    }

    @Nested
    class OnPostgres extends Golden {
        OnPostgres() {
            super(Place::postgres, "'\\x");
        }
    }

    @Nested
    @Tag("mariadb")
    class OnMariaDb extends Golden {
        OnMariaDb() {
            super(() -> Place.mariaDb("mariadb"), "X'");
        }
    }

    abstract static class Golden {

        private final Place here;
        private final String bytes;
        private final ApplicationContext application;
        private final IdempotencyStore store;

        Golden(Supplier<Place> place, String bytes) {
            this.here = place.get();
            this.bytes = bytes;
            this.application = here.application();
            this.store = store(application);
        }

        @AfterEach
        void stop() {
            application.close();
        }

        @Test
        void formatOne() {
            assertReads(COLUMNS, ", 1");
        }

        /** The checksums stand for what they are computed of: a changed one forgets all records. */
        @Test
        void formatTwo() {
            String more = COLUMNS + ", retention_ms, checksum";
            assertThat(read(more, RUNNING + ", 2, 1000000000000, 1898255521").state())
                    .isEqualTo(RecordState.IN_PROGRESS);
            assertThat(read(more, DOUBTED + ", 2, 7209999990000, 1898255521").doubt())
                    .isEqualTo("the answer was lost");
            assertThat(read(more, COMPLETED + PAID_ROW + ", 2, 86400000, 5524537570553566369")
                            .result())
                    .isEqualTo(PAID);
            assertThat(read(more, COMPLETED + OMITTED_ROW + ", 2, 86400000, 3960835944829228193")
                            .result())
                    .isEqualTo(OMITTED);
            assertThat(read(more, FAILED + DECLINED_ROW + ", 2, 86400000, 511049755198297249")
                            .failure())
                    .isEqualTo(DECLINED);
        }

        private void assertReads(String columns, String end) {
            assertThat(read(columns, RUNNING + end).state()).isEqualTo(RecordState.IN_PROGRESS);
            assertThat(read(columns, DOUBTED + end).doubt()).isEqualTo("the answer was lost");
            assertThat(read(columns, COMPLETED + PAID_ROW + end).result()).isEqualTo(PAID);
            assertThat(read(columns, COMPLETED + OMITTED_ROW + end).result()).isEqualTo(OMITTED);
            assertThat(read(columns, FAILED + DECLINED_ROW + end).failure()).isEqualTo(DECLINED);
        }

        private StoredRecord read(String columns, String row) {
            here.run("DELETE FROM " + here.table() + " WHERE attempt > 0");
            here.run("INSERT INTO " + here.table() + " (" + columns + ") VALUES ("
                    + row.replace("{bytes}", bytes).replace("{end}", "'") + ")");
            StoredRecord record = get(store.find(ID)).orElseThrow();
            assertThat(record.operation()).isEqualTo("charge-payment");
            assertThat(record.fingerprint()).isEqualTo(FINGERPRINT);
            assertThat(record.owner()).isEqualTo(OWNER);
            assertThat(record.fence()).isEqualTo(1_790_000_000_000_000L);
            assertThat(record.attempt()).isEqualTo(2);
            assertThat(record.claimedAt()).isEqualTo(Instant.ofEpochMilli(1_790_000_000_000L));
            assertThat(record.expiresAt()).isEqualTo(Instant.ofEpochMilli(9_000_000_000_000L));
            return record;
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "1898255521 IN_PROGRESS",
                    "5524537570553566369 COMPLETED",
                    "3960835944829228193 OMITTED",
                    "511049755198297249 FAILED"
                })
        void whatIsWrittenTodayAddsUpToTheSame(String checksumAndOutcome) {
            String outcome = checksumAndOutcome.split(" ", -1)[1];
            Claim claim = new Claim(ID, "charge-payment", FINGERPRINT, OWNER, DAY, DAY, false);
            Ownership own = Calls.own(store, claim);
            switch (outcome) {
                case "COMPLETED" -> get(store.complete(own, PAID, DAY));
                case "OMITTED" -> get(store.complete(own, OMITTED, DAY));
                case "FAILED" -> get(store.fail(own, DECLINED, DAY));
                default -> {}
            }
            assertThat(here.ask("SELECT format_version, checksum FROM " + here.table() + " WHERE attempt > 0"))
                    .isEqualTo("2|" + checksumAndOutcome.split(" ", -1)[0]);
        }
    }
}
