package io.idempotency.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.runtime.store.AuditNote;
import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.RecordId;
import io.idempotency.runtime.store.Resolution;
import io.idempotency.runtime.store.Settled;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Who settled a record, and why, is not forgotten. */
abstract class AuditContract extends StoreContract {

    private static final Resolution FORGET = new Resolution.Forget();

    AuditContract(IdempotencyStoreTck kit) {
        super(kit);
    }

    @Test
    void recordThatNobodyResolvedHasNoTrail() {
        assertThat(trail(Claims.fresh().id())).isEmpty();
        assertThat(trail(Situation.DOUBTED.arrange(this, Claims.fresh()).id())).isEmpty();
    }

    @Test
    void noteIsKeptWithEveryKindOfResolution() {
        for (Resolution resolution :
                List.of(new Resolution.Complete(RESULT, RETENTION), new Resolution.Fail(FAILURE, RETENTION), FORGET)) {
            Ownership ownership = Situation.DOUBTED.arrange(this, Claims.fresh());
            assertApplied(resolve(ownership, resolution, NOTE));
            assertThat(trail(ownership.id())).containsExactly(NOTE.text());
        }
    }

    @Test
    void trailOutlivesTheRecordAndLaterClaimsOfItsKey() {
        Claim claim = Claims.fresh();
        resolve(Situation.DOUBTED.arrange(this, claim), FORGET, note("first: nothing at the provider"));
        assertAbsent(claim.id());
        Ownership again = acquire(Claims.duplicateOf(claim));
        assertThat(trail(claim.id())).containsExactly("first: nothing at the provider");
        doubt(again);
        resolve(again, new Resolution.Fail(FAILURE, SHORT), note("second: \u00fcber Umwege gefunden"));
        shortPasses();
        assertAbsent(claim.id());
        Claim third = Claims.duplicateOf(claim);
        release(acquire(third));
        assertThat(trail(claim.id()))
                .containsExactly("first: nothing at the provider", "second: \u00fcber Umwege gefunden");
    }

    /** As a search in the background does: it takes over, and what it finds out settles its own claim, as an operator would. */
    @Test
    void whatWasFoundOutAboutAnAbandonedRunIsInItsTrail() {
        for (Resolution resolution : List.of(new Resolution.Complete(RESULT, RETENTION), FORGET)) {
            Claim claim = Claims.fresh();
            Ownership abandoned = Situation.DOUBTED.arrange(this, claim);
            Ownership search = acquire(Claims.takingOver(Claims.duplicateOf(claim)));
            stale(resolve(search, resolution, note("its search is not over")));
            doubt(search);
            stale(resolve(abandoned, resolution, note("of the former fence")));
            assertApplied(resolve(search, resolution, note("the search found it")));
            assertThat(trail(claim.id())).containsExactly("the search found it");
        }
    }

    @Test
    void purgingSparesTheTrail() {
        Ownership ownership = Situation.DOUBTED.arrange(this, Claims.fresh());
        resolve(ownership, new Resolution.Fail(FAILURE, SHORT), note("kept"));
        shortPasses();
        store().purge(10_000);
        assertThat(trail(ownership.id())).containsExactly("kept");
    }

    @Test
    void trailEndsWithTheRetentionOfItsLastNote() {
        for (Resolution later :
                List.of(new Resolution.Complete(RESULT, RETENTION), new Resolution.Fail(FAILURE, RETENTION), FORGET)) {
            Claim claim = Claims.fresh();
            resolve(Situation.DOUBTED.arrange(this, claim), FORGET, new AuditNote("first", LONG));
            Ownership again = Situation.DOUBTED.arrange(this, Claims.duplicateOf(claim));
            resolve(again, later, new AuditNote("last", SHORT));
            shortPasses();
            assertThat(trail(claim.id())).isEmpty();
        }
    }

    @Test
    void trailCanBeKeptForEver() {
        Ownership ownership = Situation.DOUBTED.arrange(this, Claims.fresh());
        resolve(ownership, new Resolution.Forget(), new AuditNote("for ever", IdempotencyStore.FOREVER));
        shortPasses();
        assertThat(trail(ownership.id())).containsExactly("for ever");
    }

    @Test
    void noteOfADecisionThatWasRefusedIsNotKept() {
        Ownership ownership = Situation.DOUBTED.arrange(this, Claims.fresh());
        stale(store().resolve(ownership.id(), ownership.fence() + 1, FORGET, NOTE));
        assertThat(trail(ownership.id())).isEmpty();
        complete(ownership);
        stale(resolve(ownership, FORGET, NOTE));
        assertThat(trail(ownership.id())).isEmpty();
    }

    @Test
    void longestNoteIsKeptAsItIs() {
        Ownership ownership = Situation.DOUBTED.arrange(this, Claims.fresh());
        String longest = "\u20ac".repeat(AuditNote.MAX_LENGTH);
        resolve(ownership, FORGET, note(longest));
        assertThat(trail(ownership.id())).containsExactly(longest);
    }

    private static AuditNote note(String text) {
        return new AuditNote(text, RETENTION);
    }

    private Settled resolve(Ownership ownership, Resolution resolution, AuditNote note) {
        return store().resolve(ownership.id(), ownership.fence(), resolution, note);
    }

    private List<String> trail(RecordId id) {
        return store().audit(id);
    }
}
