package io.idempotency.processor.rule;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.processor.compile.Compilation;
import io.idempotency.processor.messaging.KafkaAnnotations;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A Kafka listener that loses messages by what is written on it is told what to write. */
class KafkaListenerRuleTest {

    private static List<String> warnings(String members) {
        Compilation compilation = KafkaAnnotations.listener(members, "");
        assertThat(compilation.errors()).isEmpty();
        return compilation.reportedWarnings();
    }

    private static String strategy(String members) {
        return "errorStrategy = @ErrorStrategy(" + members + ")";
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "ErrorStrategyValue.RESUME_AT_NEXT_RECORD",
                "ErrorStrategyValue.RETRY_ON_ERROR",
                "value = ErrorStrategyValue.RETRY_ON_ERROR, retryCount = 5",
                "value = ErrorStrategyValue.RETRY_EXPONENTIALLY_ON_ERROR",
                "value = ErrorStrategyValue.RETRY_ON_ERROR, retryCount = 200, retryDelay = \"50ms\"",
                "value = ErrorStrategyValue.RETRY_EXPONENTIALLY_ON_ERROR, retryCount = 7, retryDelay = \"500ms\"",
                "value = ErrorStrategyValue.RETRY_ON_ERROR, retryCount = 900, exceptionTypes = OperationInProgressException.class"
            })
    void aStrategyThatSkipsWhatIsRefusedForAWhileIsReported(String members) {
        assertThat(warnings(strategy(members)))
                .singleElement()
                .asString()
                .contains("Remove errorStrategy", "[idempotency:lostMessages] docs/compile-time.md");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "value = ErrorStrategyValue.RETRY_ON_ERROR, retryCount = 900",
                "value = ErrorStrategyValue.RETRY_ON_ERROR, retryCount = 20, retryDelay = \"5s\"",
                "value = ErrorStrategyValue.RETRY_ON_ERROR, retryCount = 900, retryDelay = \"0s\"",
                "value = ErrorStrategyValue.RETRY_ON_ERROR, retryCount = 900, retryDelay = \"${orders.delay}\"",
                "value = ErrorStrategyValue.RETRY_EXPONENTIALLY_ON_ERROR, retryCount = 7",
                "value = ErrorStrategyValue.RETRY_ON_ERROR, retryCount = 900, exceptionTypes = {IllegalStateException.class,"
                        + " OperationInProgressException.class, IdempotencyStoreUnavailableException.class,"
                        + " TooManyRecordsException.class, ApplicationShuttingDownException.class}"
            })
    void oneThatKeepsItIsNot(String members) {
        assertThat(warnings(strategy(members))).isEmpty();
    }

    @Test
    void aStageIsReportedBecauseNobodyWaitsForIt() {
        assertThat(KafkaAnnotations.returning("java.util.concurrent.CompletableFuture<String>")
                        .reportedWarnings())
                .singleElement()
                .asString()
                .contains("committed all the same", "or a Mono", "[idempotency:lostMessages]");
    }

    @Test
    void anAsyncMethodIsReportedBecauseItReturnsBeforeItsBodyRuns() {
        assertThat(KafkaAnnotations.annotated("@io.micronaut.scheduling.annotation.Async")
                        .reportedWarnings())
                .singleElement()
                .asString()
                .contains("committed all the same", "without @Async", "[idempotency:lostMessages]");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"orders\", \"refunds\"}", "patterns = \"orders-.*\""})
    void severalTopicsInOneMethodAreReported(String topics) {
        assertThat(KafkaAnnotations.ofTopics(topics).reportedWarnings())
                .singleElement()
                .asString()
                .contains("a method for each topic", "[idempotency:lostMessages]");
    }

    @Test
    void anAnnotationThatCarriesTheListenerIsReportedUnlessItHasAStrategy() {
        assertThat(KafkaAnnotations.composed("").reportedWarnings())
                .singleElement()
                .asString()
                .contains("Write @KafkaListener itself", "[idempotency:lostMessages]");
        assertThat(KafkaAnnotations.composed(strategy("value = ErrorStrategyValue.RETRY_ON_ERROR, retryCount = 900"))
                        .reportedWarnings())
                .isEmpty();
        assertThat(KafkaAnnotations.composed(strategy("")).reportedWarnings())
                .singleElement()
                .asString()
                .contains("Remove errorStrategy");
    }

    @Test
    void aBatchIsReported() {
        assertThat(warnings("batch = true")).singleElement().asString().contains("for each record");
    }

    @Test
    void offsetsThatGoWithATransactionAreReportedBecauseTheyCoverTheWholePoll() {
        assertThat(warnings("offsetStrategy = OffsetStrategy.SEND_TO_TRANSACTION"))
                .singleElement()
                .asString()
                .contains("a whole poll with its first record", "Write SYNC", "[idempotency:lostMessages]");
    }

    @Test
    void aCommitAfterEachRecordIsReportedBecauseOneThatFailsLeavesOutTheRestOfThePoll() {
        assertThat(warnings("offsetStrategy = OffsetStrategy.SYNC_PER_RECORD"))
                .singleElement()
                .asString()
                .contains("the rest of the poll", "Write SYNC", "[idempotency:lostMessages]");
    }

    @Test
    void anAcknowledgementByHandIsReportedBecauseAReplayGivesNone() {
        assertThat(KafkaAnnotations.taking("@NotFingerprinted io.micronaut.messaging.Acknowledgement message")
                        .reportedWarnings())
                .singleElement()
                .asString()
                .contains("take no Acknowledgement", "[idempotency:lostMessages]");
        assertThat(warnings("offsetStrategy = OffsetStrategy.DISABLED"))
                .singleElement()
                .asString()
                .contains("Write SYNC");
    }

    @ParameterizedTest
    @ValueSource(strings = {"AUTO", "SYNC"})
    void aCommitThatMicronautMakesIsNot(String strategy) {
        assertThat(warnings("offsetStrategy = OffsetStrategy." + strategy)).isEmpty();
    }
}
