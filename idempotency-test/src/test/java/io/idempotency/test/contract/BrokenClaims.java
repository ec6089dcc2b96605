package io.idempotency.test.contract;

import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.ClaimResult;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.RecordState;
import io.idempotency.runtime.store.Settled;
import io.idempotency.runtime.store.StoredRecord;
import io.idempotency.runtime.store.StoredResult;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** Stores that hand out claims which they must not. */
final class BrokenClaims {

    private BrokenClaims() {}

    abstract static class ClaimTck extends BrokenTck {

        abstract ClaimResult claim(DelegatingStore store, IdempotencyStore sound, Claim claim);

        @Override
        final IdempotencyStore broken(IdempotencyStore sound) {
            return new DelegatingStore(sound) {
                @Override
                public ClaimResult claim(Claim claim) {
                    return ClaimTck.this.claim(this, sound, claim);
                }
            };
        }
    }

    static final class ForgetsTheArgumentsOfATakeOver extends ClaimTck {
        @Override
        ClaimResult claim(DelegatingStore store, IdempotencyStore sound, Claim claim) {
            return sound.claim(claim.takeOver() ? claim.withoutArguments() : claim);
        }
    }

    static final class ReadsThenWrites extends ClaimTck {
        @Override
        ClaimResult claim(DelegatingStore store, IdempotencyStore sound, Claim claim) {
            boolean absent = store.now(claim.id()).isEmpty();
            store.looksAway();
            ClaimResult result = sound.claim(claim);
            StoredRecord record = store.now(claim.id()).orElseThrow();
            return absent ? new ClaimResult.Acquired(record.fence(), 1) : result;
        }
    }

    static final class TakesOverWithoutLookingAtTheFingerprint extends ClaimTck {
        @Override
        ClaimResult claim(DelegatingStore store, IdempotencyStore sound, Claim claim) {
            Optional<StoredRecord> found = store.now(claim.id()).filter(record -> claim.takeOver());
            return sound.claim(
                    found.map(record -> claim.with(record.fingerprint())).orElse(claim));
        }
    }

    static final class LosesTheFingerprintAtCompletion extends ClaimTck {
        @Override
        ClaimResult claim(DelegatingStore store, IdempotencyStore sound, Claim claim) {
            Optional<StoredRecord> completed =
                    store.now(claim.id()).filter(record -> record.state() == RecordState.COMPLETED);
            return sound.claim(
                    completed.map(record -> claim.with(record.fingerprint())).orElse(claim));
        }
    }

    static final class TakesOverTheLiving extends ClaimTck {
        @Override
        ClaimResult claim(DelegatingStore store, IdempotencyStore sound, Claim claim) {
            if (claim.takeOver() && store.isNow(claim.id(), RecordState.IN_PROGRESS)) {
                Ownership holder = store.holder(new Ownership(claim.id(), claim.owner(), 0));
                sound.doubt(holder, "an orphan, surely", claim.retention());
            }
            return sound.claim(claim);
        }
    }

    static final class TakesOverSettledRecordsOfOldLeases extends ClaimTck {
        @Override
        ClaimResult claim(DelegatingStore store, IdempotencyStore sound, Claim claim) {
            Optional<StoredRecord> settled = store.now(claim.id())
                    .filter(DelegatingStore::settledAndOfAnOldLease)
                    .filter(record -> claim.takeOver() && !record.owner().equals(claim.owner()));
            return settled.isPresent() ? new ClaimResult.Acquired(settled.get().fence() + 1, 2) : sound.claim(claim);
        }
    }

    static final class RaisesTheFenceToTheClockOnly extends ClaimTck {
        @Override
        ClaimResult claim(DelegatingStore store, IdempotencyStore sound, Claim claim) {
            ClaimResult result = sound.claim(claim);
            return result instanceof ClaimResult.Acquired acquired
                    ? new ClaimResult.Acquired(micros(store, claim), acquired.attempt())
                    : result;
        }

        private static long micros(DelegatingStore store, Claim claim) {
            return ChronoUnit.MICROS.between(
                    Instant.EPOCH, store.now(claim.id()).orElseThrow().readAt());
        }
    }

    static final class TakesOverUnasked extends ClaimTck {
        @Override
        ClaimResult claim(DelegatingStore store, IdempotencyStore sound, Claim claim) {
            return sound.claim(ContractPart.takingOver(claim));
        }
    }

    static final class AnswersAResentClaimAsADuplicate extends ClaimTck {
        @Override
        ClaimResult claim(DelegatingStore store, IdempotencyStore sound, Claim claim) {
            Optional<StoredRecord> own =
                    store.now(claim.id()).filter(record -> record.owner().equals(claim.owner()));
            return own.isPresent() ? new ClaimResult.Duplicate(own.get()) : sound.claim(claim);
        }
    }

    static final class ComparesWithoutCase extends ClaimTck {
        @Override
        ClaimResult claim(DelegatingStore store, IdempotencyStore sound, Claim claim) {
            return sound.claim(
                    ContractPart.withOperation(claim, claim.operation().toLowerCase(Locale.ROOT)));
        }
    }

    /** Hands out fences of its own making, and translates them back. */
    private abstract static class FenceTck extends BrokenTck {

        private final Map<String, Long> soundFences = new ConcurrentHashMap<>();

        abstract long drawn();

        long given(long drawn, ClaimResult.Acquired sound) {
            return drawn;
        }

        @Override
        final IdempotencyStore broken(IdempotencyStore sound) {
            return new DelegatingStore(sound) {
                @Override
                public ClaimResult claim(Claim claim) {
                    long drawn = drawn();
                    ClaimResult result = sound.claim(claim);
                    if (!(result instanceof ClaimResult.Acquired acquired)) {
                        return result;
                    }
                    soundFences.put(claim.owner(), acquired.fence());
                    return new ClaimResult.Acquired(given(drawn, acquired), acquired.attempt());
                }

                @Override
                public Settled complete(Ownership asking, StoredResult result, Duration retention) {
                    return sound.complete(translated(asking), result, retention);
                }

                @Override
                public Settled release(Ownership asking) {
                    return sound.release(translated(asking));
                }

                @Override
                public Settled doubt(Ownership asking, String reason, Duration retention) {
                    return sound.doubt(translated(asking), reason, retention);
                }
            };
        }

        private Ownership translated(Ownership asking) {
            return new Ownership(asking.id(), asking.owner(), soundFences.getOrDefault(asking.owner(), 0L));
        }
    }

    static final class ReadsTheClockBeforeItWaits extends FenceTck {
        private final AtomicLong reading = new AtomicLong();

        @Override
        long drawn() {
            long now = reading.incrementAndGet();
            // off the processor: where many share it, a yielding thread goes on at once and nobody overtakes it
            LockSupport.parkNanos(100_000);
            return now;
        }
    }

    static final class ForgetsTheFenceWithTheRecord extends FenceTck {
        @Override
        long drawn() {
            return 0;
        }

        @Override
        long given(long drawn, ClaimResult.Acquired sound) {
            return sound.attempt();
        }
    }
}
