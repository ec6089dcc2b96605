package io.idempotency.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectNestedClass;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.UniqueId;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Event;
import org.junit.platform.testkit.engine.Events;

/** Negative controls: the contract finds out stores that break it, each in a way that was seen in the wild. */
final class TckHasTeethTest {

    private static final String PACKAGE = "io.idempotency.test.";

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            Claims$ReadsThenWrites                           | Concurrency | oneOfManyClaimsOfOneKeyWins
            Claims$TakesOverWithoutLookingAtTheFingerprint   | Reuse       | otherArgumentsAreToldApart
            Claims$LosesTheFingerprintAtCompletion           | Reuse       | otherArgumentsAreToldApart
            Claims$TakesOverTheLiving                        | TakingOver  | liveClaimIsNotTakenOver
            Claims$TakesOverSettledRecordsOfOldLeases        | TakingOver  | settledRecordIsNotTakenOver
            Claims$TakesOverUnasked                          | TakingOver  | claimWhoseLeaseIsOverIsNotTakenOverUnlessAsked
            Claims$AnswersAResentClaimAsADuplicate           | Claiming    | claimRepeatedByItsOwnerAnswersAsTheFirstOneDid
            Claims$ComparesWithoutCase                       | Values      | textsThatOnlyLookAlikeAreDifferent
            Settlements$AnyoneCompletes                      | Owning      | otherOwnerMayNot
            Settlements$ComparesNoFence                      | Owning      | sameOwnerWithAnotherFenceMayNot
            Settlements$AnyoneReleases                       | Releasing   | lateReleaseDoesNotHitTheNextClaim
            Claims$ReadsTheClockBeforeItWaits                | Fences      | fenceRisesWithEveryGrantThroughReleasesExpiryPurgesAndTakeOvers
            Claims$ForgetsTheFenceWithTheRecord              | Fences      | fenceRisesFromReleaseToRelease
            Settlements$ReleasesWhatIsInDoubt                | Releasing   | recordInDoubtIsNotReleased
            Settlements$ForgetsThatItWasInDoubt              | Releasing   | recordThatWasInDoubtIsNotReleasedAfterItsLeaseWasRenewed
            Settlements$ForgetsWhatItSaidWhenItsClockIsSetBack | Releasing | recordThatSomebodySawInDoubtIsNotReleasedWhenTheClockIsSetBack
            Settlements$RefusesTheLateOwner                  | Owning      | lateOwnerMayWhileNobodyTookOver
            Settlements$RefusesWhatIsResent                  | Owning      | ownerMayAgainBecauseDriversResend
            Settlements$ResolvesWhateverTheOperatorSaw       | Resolving   | otherFenceThanTheOperatorSawIsStale
            Settlements$ResolvesWithoutRaisingTheFence       | Resolving   | formerOwnerIsStaleAfterwardsAndItsClaimADuplicate
            Settlements$ForgetsSettledRecordsOfOldLeases     | Resolving   | recordThatIsNotInDoubtIsLeftAlone
            Settlements$ReleasesSettledRecordsOfOldLeases    | Owning      | nobodyMayChangeACompletedRecord
            Claims$ForgetsTheArgumentsOfATakeOver            | Arguments   | takingOverReplacesThem
            Settlements$KeepsTheArgumentsOfAFailure          | Arguments   | everyOutcomeTakesTheirPlace
            Settlements$KeepsNoAuditTrailOfWhatIsAbsent      | Audit       | trailOutlivesTheRecordAndLaterClaimsOfItsKey
            Settlements$AuditsWhatWasRefused                 | Audit       | noteOfADecisionThatWasRefusedIsNotKept
            Settlements$AcceptsAnotherResult                 | Completing  | secondResultDoesNotReplaceTheFirst
            Settlements$AcceptsAnotherFailure                | Failing     | secondFailureDoesNotReplaceTheFirst
            Claims$RaisesTheFenceToTheClockOnly              | TakingOver  | fenceThatIsAheadOfTheClockRisesByTakingOver
            Settlements$SettlesByReadingFirst                | Concurrency | oneOfTwoSettlementsWins
            Erasures$ErasesNothing                           | Erasing     | resultIsErased
            Erasures$ForgetsTheRecordWithItsData             | Erasing     | keyIsClaimedAsLittleAsBefore
            Erasures$ErasesWhatIsInProgress                  | Erasing     | claimWhoseLeaseStandsIsLeftAlone
            Erasures$AnswersRenewalsInAnotherOrder           | Leases      | manyClaimsAreRenewedAtOnceAndAnsweredInTheirOrder
            Times$SecondsForMilliseconds                     | Leases      | claimIsInDoubtOnceItsLeaseIsOver
            Times$WholeSeconds                               | Times       | leaseAndRetentionLastAsLongAsAsked
            Times$MicrosecondsForMilliseconds                | Times       | leaseAndRetentionLastAsLongAsAsked
            Times$MillisecondsInAnInt                        | Times       | leaseAndRetentionLastAsLongAsAsked
            Times$RetentionInSeconds                         | Expiry      | completedRecordIsForgottenAfterItsRetention
            Times$LeaseIsTheRecordsTimeToLive                | Leases      | endOfTheLeaseDestroysNoEvidence
            Times$AsksTheJvmsClock                           | Times       | instantsAreTheStoresClock
            Times$PurgesWhatIsInDoubt                        | Purging     | liveRecordsStay
            Times$PurgesWithoutLimit                         | Purging     | expiredRecordsGoInBatches
            Signals$SaysNothingOfReleases                    | Signals     | waiterHearsThatTheOwnerSettled
            Signals$TellsEachListenerOnce                    | Signals     | waiterHearsTheNextOwnerAfterARelease
            Signals$SaysThatItHearsBeforeItDoes              | Signals     | noSettlementIsMissedBetweenListeningAndSettling
            Signals$NeverListens                             | Signals     | whoIsToldThatItHearsIsAlsoToldToLook
            """)
    void contractFindsOutAStoreThat(String breaks, String group, String test) {
        Events tests = run(selectNestedClass(
                List.of(PACKAGE + "Broken" + breaks),
                PACKAGE + IdempotencyStoreTck.class.getSimpleName() + "$" + group));
        List<Event> failures = tests.failed().list();
        assertThat(failures).extracting(TckHasTeethTest::methodOf).contains(test);
        assertThat(failures)
                .extracting(failure -> failure.getRequiredPayload(TestExecutionResult.class)
                        .getThrowable()
                        .orElseThrow())
                .hasOnlyElementsOfType(AssertionError.class);
    }

    @Test
    void contractFindsNothingInASoundStore() {
        Events tests = run(selectClass(BrokenTck.NotAtAll.class));
        assertThat(tests.succeeded().count()).isGreaterThan(200);
        assertThat(tests.failed().list()).isEmpty();
        assertThat(tests.skipped().list()).isEmpty();
    }

    private static Events run(DiscoverySelector selector) {
        return EngineTestKit.engine("junit-jupiter")
                .selectors(selector)
                .execute()
                .testEvents();
    }

    /** The method without its parameters, also when it is one invocation of a parameterised test. */
    private static String methodOf(Event event) {
        return event.getTestDescriptor().getUniqueId().getSegments().stream()
                .filter(segment ->
                        segment.getType().equals("method") || segment.getType().equals("test-template"))
                .map(UniqueId.Segment::getValue)
                .map(signature -> signature.substring(0, signature.indexOf('(')))
                .findFirst()
                .orElseThrow();
    }
}
