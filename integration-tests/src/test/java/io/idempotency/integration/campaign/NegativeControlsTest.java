package io.idempotency.integration.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.integration.campaign.Sabotage.Defect;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the campaign is good for: each defect that libraries of this kind have had is found, and so is a store that loses writes. */
@Tag("controls")
class NegativeControlsTest {

    private static final Duration SPAN = Duration.ofSeconds(Integer.getInteger("campaign.controls.seconds", 30));
    private static final List<String> ANY = List.of(
            Checker.TWO_EFFECTS, Checker.AFTER_UNKNOWN, Checker.AFTER_RESULT, Checker.TWO_RESULTS, Checker.LOST_RESULT);

    private final Random random = new Random(Long.getLong("campaign.seed", System.nanoTime()));

    @ParameterizedTest
    @EnumSource
    void aDefectOfTheStoreIsFound(Defect defect) throws Exception {
        List<Fault> faults = switch (defect) {
            case CLAIM_WITHOUT_CONDITION, DELETE_ON_EXCEPTION, NO_FINGERPRINT -> List.of(Fault.CONNECTIONS_RESET);
            case LEASE_AS_TTL -> List.of(Fault.NODE_KILLED);
            case COMPLETE_WITHOUT_OWNER -> List.of(Fault.NODE_STOPPED);
            case RELEASE_ON_FAILED_COMPLETION -> List.of(Fault.SESSIONS_ENDED, Fault.STORE_RESTARTED);
        };
        try (StoreUnderTest store = SqlUnderTest.postgresql(random)) {
            List<String> expected = defect == Defect.NO_FINGERPRINT ? List.of(Checker.PAYLOAD) : ANY;
            boolean slow = defect == Defect.COMPLETE_WITHOUT_OWNER;
            found(expected, store, defect.name(), faults, Map.of(Sabotage.PROPERTY, defect, CampaignNode.SLOW, slow));
        }
    }

    @Test
    void acknowledgedWritesThatAnAsynchronousCommitLosesAreFound() throws Exception {
        try (StoreUnderTest store = SqlUnderTest.postgresql(random, "synchronous_commit=off", "wal_writer_delay=10s")) {
            found(ANY, store, "asynchronous-commit", List.of(Fault.STORE_KILLED), Map.of());
        }
    }

    @Test
    void aRedisThatForgetsWhenItIsKilledIsFound() throws Exception {
        try (StoreUnderTest store = RedisUnderTest.withoutPersistence(random)) {
            found(ANY, store, "redis-without-persistence", List.of(Fault.STORE_KILLED), Map.of());
        }
    }

    @Test
    void aPromotedReplicaThatHadNotReceivedEveryClaimIsFound() throws Exception {
        try (StoreUnderTest store = SentinelUnderTest.unacknowledged()) {
            found(ANY, store, "unacknowledged-fail-over", List.of(Fault.FAIL_OVER), Map.of());
        }
    }

    @Test
    void anEffectThatDoesNotCompareFencesUnderTakeOverIsFound() throws Exception {
        try (StoreUnderTest store = SqlUnderTest.postgresql(random)) {
            found(
                    List.of(Checker.FENCE, Checker.AFTER_RESULT),
                    store,
                    "without-fences",
                    List.of(Fault.NODE_STOPPED),
                    Map.of(CampaignNode.FENCES, false, CampaignNode.SLOW, true));
        }
    }

    private void found(
            List<String> promises,
            StoreUnderTest store,
            String name,
            List<Fault> faults,
            Map<String, Object> properties)
            throws Exception {
        Path logs = Path.of("target", "campaign", "controls", name);
        try (Campaign campaign = new Campaign(store, 2, logs, random, properties).with(faults)) {
            campaign.run(SPAN);
            List<String> violations = campaign.violations();
            System.out.println(name + ": " + violations.size() + " violations, " + campaign);
            assertThat(violations)
                    .as("%s", campaign)
                    .anyMatch(violation -> promises.stream().anyMatch(violation::startsWith));
        }
    }
}
