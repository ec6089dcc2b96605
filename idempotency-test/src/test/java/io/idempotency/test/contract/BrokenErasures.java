package io.idempotency.test.contract;

import io.idempotency.runtime.store.AuditNote;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.RecordId;
import io.idempotency.runtime.store.RecordState;
import io.idempotency.runtime.store.Renewal;
import io.idempotency.runtime.store.Resolution;
import io.idempotency.runtime.store.Settled;
import io.idempotency.runtime.store.StoredRecord;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** Stores that erase too little or too much, or take one renewal for another. */
final class BrokenErasures {

    private BrokenErasures() {}

    static final class ErasesNothing extends BrokenTck {
        @Override
        IdempotencyStore broken(IdempotencyStore sound) {
            return new DelegatingStore(sound) {
                @Override
                public Settled erase(RecordId id, AuditNote note) {
                    return find(id).isPresent() ? new Settled.Applied() : new Settled.Stale(null);
                }
            };
        }
    }

    static final class ForgetsTheRecordWithItsData extends BrokenTck {
        @Override
        IdempotencyStore broken(IdempotencyStore sound) {
            return new DelegatingStore(sound) {
                @Override
                public Settled erase(RecordId id, AuditNote note) {
                    Optional<StoredRecord> found = find(id).filter(it -> it.state() == RecordState.IN_DOUBT);
                    return found.isPresent()
                            ? resolve(id, found.get().fence(), new Resolution.Forget(), note)
                            : super.erase(id, note);
                }
            };
        }
    }

    static final class ErasesWhatIsInProgress extends BrokenTck {
        @Override
        IdempotencyStore broken(IdempotencyStore sound) {
            return new DelegatingStore(sound) {
                @Override
                public Settled erase(RecordId id, AuditNote note) {
                    super.erase(id, note);
                    return new Settled.Applied();
                }
            };
        }
    }

    static final class AnswersRenewalsInAnotherOrder extends BrokenTck {
        @Override
        IdempotencyStore broken(IdempotencyStore sound) {
            return new DelegatingStore(sound) {
                @Override
                public List<Settled> renew(List<Renewal> renewals) {
                    List<Settled> answers = new ArrayList<>(super.renew(renewals));
                    Collections.reverse(answers);
                    return answers;
                }
            };
        }
    }
}
