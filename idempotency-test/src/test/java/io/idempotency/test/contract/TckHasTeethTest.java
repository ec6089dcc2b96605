package io.idempotency.test.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectNestedClass;

import java.util.List;
import org.junit.jupiter.api.Tag;
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
@Tag("thorough")
final class TckHasTeethTest {

    private static final String PACKAGE = "io.idempotency.test.contract.";

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            Claims$ReadsThenWrites                           | Concurrency | oneOfManyClaimsWinsForEachOfManyKeys
            Claims$TakesOverWithoutLookingAtTheFingerprint   | Claiming    | otherArgumentsAndOtherOperationsAreToldApart
            Claims$LosesTheFingerprintAtCompletion           | Claiming    | otherArgumentsAndOtherOperationsAreToldApart
            Claims$TakesOverTheLiving                        | Claiming    | liveClaimIsNotTakenOverAndNotChanged
            Claims$TakesOverSettledRecordsOfOldLeases        | Claiming    | claimOfASettledRecordIsADuplicateAlsoForItsOwner
            Claims$TakesOverUnasked                          | Claiming    | recordInDoubtIsTakenOverWhereThatIsAsked
            Claims$AnswersAResentClaimAsADuplicate           | Claiming    | claimRepeatedByItsOwnerAnswersAsTheFirstOneDid
            Claims$ComparesWithoutCase                       | Values      | textsThatOnlyLookAlikeAreDifferent
            Settlements$AnyoneCompletes                      | Owning      | otherOwnerAndSameOwnerWithAnotherFenceMayNot
            Settlements$ComparesNoFence                      | Owning      | otherOwnerAndSameOwnerWithAnotherFenceMayNot
            Settlements$AnyoneReleases                       | Settling    | releasedKeyIsNewButForItsFenceAndSafeFromALateRelease
            Claims$ReadsTheClockBeforeItWaits                | Concurrency | fenceRisesWithEveryGrantThroughReleasesExpiryPurgesAndTakeOvers
            Claims$ForgetsTheFenceWithTheRecord              | Concurrency | fenceRisesWithEveryGrantThroughReleasesExpiryPurgesAndTakeOvers
            Settlements$ReleasesWhatIsInDoubt                | Settling    | recordInDoubtIsNotReleased
            Settlements$ForgetsThatItWasInDoubt              | Settling    | recordThatWasInDoubtIsNotReleasedAfterItsLeaseWasRenewed
            Settlements$ForgetsWhatItSaidWhenItsClockIsSetBack| Settling    | recordThatWasSeenInDoubtIsNotReleasedWhenTheClockIsSetBack
            Settlements$RefusesTheLateOwner                  | Settling    | lateOutcomeIsRecordedAndClearsADoubt
            Settlements$RefusesWhatIsResent                  | Owning      | ownerMayAndMayAgainBecauseDriversResend
            Settlements$ResolvesWhateverTheOperatorSaw       | Resolving   | otherFenceThanTheOperatorSawIsStaleAndNotOnRecord
            Settlements$ResolvesWithoutRaisingTheFence       | Resolving   | formerOwnerIsStaleAfterwardsAndItsClaimADuplicate
            Settlements$ForgetsSettledRecordsOfOldLeases     | Resolving   | recordThatIsNotInDoubtIsLeftAlone
            Settlements$ReleasesSettledRecordsOfOldLeases    | Owning      | settledRecordIsNotChanged
            Claims$ForgetsTheArgumentsOfATakeOver            | Arguments   | takingOverReplacesThem
            Settlements$KeepsTheArgumentsOfAFailure          | Arguments   | everyOutcomeTakesTheirPlace
            Settlements$KeepsNoAuditTrailOfWhatIsAbsent      | Resolving   | trailOutlivesTheRecordAndLaterClaimsOfItsKey
            Settlements$AuditsWhatWasRefused                 | Resolving   | otherFenceThanTheOperatorSawIsStaleAndNotOnRecord
            Settlements$AcceptsAnotherResult                 | Settling    | secondOutcomeDoesNotReplaceTheFirst
            Settlements$AcceptsAnotherFailure                | Settling    | secondOutcomeDoesNotReplaceTheFirst
            Claims$RaisesTheFenceToTheClockOnly              | Claiming    | recordInDoubtIsTakenOverWhereThatIsAsked
            Settlements$SettlesByReadingFirst                | Concurrency | oneOfTwoSettlementsWins
            Erasures$ErasesNothing                           | Erasing     | resultIsErased
            Erasures$ForgetsTheRecordWithItsData             | Erasing     | keyIsClaimedAsLittleAsBefore
            Erasures$ErasesWhatIsInProgress                  | Erasing     | claimWhoseLeaseStandsIsLeftAlone
            Erasures$AnswersRenewalsInAnotherOrder           | Leases      | manyClaimsAreRenewedAtOnceAndAnsweredInTheirOrder
            Times$SecondsForMilliseconds                     | Leases      | endOfTheLeaseDestroysNoEvidence
            Times$WholeSeconds                               | Values      | leaseAndRetentionLastAsLongAsAsked
            Times$MicrosecondsForMilliseconds                | Values      | leaseAndRetentionLastAsLongAsAsked
            Times$MillisecondsInAnInt                        | Values      | leaseAndRetentionLastAsLongAsAsked
            Times$RetentionInSeconds                         | Expiry      | recordsAreForgottenAfterTheRetentionOfTheirOutcomeAndClaimedAnewOneByOne
            Times$LeaseIsTheRecordsTimeToLive                | Leases      | endOfTheLeaseDestroysNoEvidence
            Times$AsksTheJvmsClock                           | Values      | instantsAreTheStoresClockInWholeMilliseconds
            Times$PurgesWhatIsInDoubt                        | Purging     | liveRecordsStayWhicheverNodesPurgeAndExpiredKeysAreClaimedAgain
            Times$PurgesByReadingFirst                       | Purging     | keyThatIsClaimedWhileItIsPurgedIsGrantedOnce
            Times$PurgesTheTrailWithTheRecord                | Resolving   | trailOutlivesTheRecordAndLaterClaimsOfItsKey
            Settlements$ForgetsByReadingFirst                | Concurrency | claimThatTakesOverWhatIsBeingForgottenIsKept
            Times$PurgesWithoutLimit                         | Purging     | expiredRecordsGoInBatches
            Signals$SaysNothingOfReleases                    | Signals     | waiterHearsThatTheOwnerSettled
            Signals$TellsEachListenerOnce                    | Signals     | waiterHearsTheNextOwnerAfterARelease
            Signals$SaysThatItHearsBeforeItDoes              | Signals     | noSettlementIsMissedBetweenListeningAndSettling
            Signals$NeverListens                             | Signals     | waiterThatIsToldThatItHearsIsAlsoToldToLook
            """)
    void contractFindsOutAStoreThat(String breaks, String group, String test) {
        Events tests = run(
                selectNestedClass(List.of(PACKAGE + "Broken" + breaks), StoreContract.class.getName() + "$" + group));
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
