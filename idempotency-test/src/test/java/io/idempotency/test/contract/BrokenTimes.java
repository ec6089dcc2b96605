package io.idempotency.test.contract;

import io.idempotency.runtime.memory.MemoryIdempotencyStore;
import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.ClaimResult;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.RecordId;
import io.idempotency.runtime.store.RecordState;
import io.idempotency.runtime.store.Resolution;
import io.idempotency.runtime.store.Settled;
import io.idempotency.runtime.store.StoredResult;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;

/** Stores that are wrong about leases, units and clocks. */
final class BrokenTimes {

    private BrokenTimes() {}

    /** Sees every lease through the given function. */
    private static IdempotencyStore leases(IdempotencyStore sound, UnaryOperator<Duration> seen) {
        return new DelegatingStore(sound) {
            @Override
            public ClaimResult claim(Claim claim) {
                return super.claim(ContractPart.withLease(claim, seen.apply(claim.lease())));
            }
        };
    }

    static final class SecondsForMilliseconds extends BrokenTck {
        @Override
        IdempotencyStore broken(IdempotencyStore sound) {
            return leases(sound, lease -> Duration.ofSeconds(lease.toMillis()));
        }
    }

    static final class WholeSeconds extends BrokenTck {
        @Override
        IdempotencyStore broken(IdempotencyStore sound) {
            return leases(sound, lease -> Duration.ofSeconds(lease.toSeconds()));
        }
    }

    static final class MicrosecondsForMilliseconds extends BrokenTck {
        @Override
        IdempotencyStore broken(IdempotencyStore sound) {
            return leases(sound, lease -> Duration.ofNanos(lease.toNanos() / 1000));
        }
    }

    static final class MillisecondsInAnInt extends BrokenTck {
        @Override
        IdempotencyStore broken(IdempotencyStore sound) {
            return leases(sound, lease -> Duration.ofMillis((int) lease.toMillis()));
        }
    }

    static final class RetentionInSeconds extends BrokenTck {
        @Override
        IdempotencyStore broken(IdempotencyStore sound) {
            return new DelegatingStore(sound) {
                @Override
                public Settled complete(Ownership asking, StoredResult result, Duration retention) {
                    boolean finite = !retention.equals(FOREVER);
                    return super.complete(
                            asking, result, finite ? Duration.ofSeconds(retention.toMillis()) : retention);
                }
            };
        }
    }

    static final class LeaseIsTheRecordsTimeToLive extends BrokenTck {
        @Override
        IdempotencyStore broken(IdempotencyStore sound) {
            return new DelegatingStore(sound) {
                @Override
                public ClaimResult claim(Claim claim) {
                    return super.claim(ContractPart.withRetention(claim, claim.lease()));
                }
            };
        }
    }

    static final class AsksTheJvmsClock extends BrokenTck {
        @Override
        IdempotencyStore broken(IdempotencyStore sound) {
            return new MemoryIdempotencyStore(InstantSource.system());
        }
    }

    static final class PurgesWhatIsInDoubt extends BrokenTck {
        @Override
        IdempotencyStore broken(IdempotencyStore sound) {
            return new DelegatingStore(sound) {
                @Override
                public int purge(int limit) {
                    list(RecordState.IN_DOUBT, Duration.ZERO, limit)
                            .forEach(record ->
                                    resolve(record.id(), record.fence(), new Resolution.Forget(), ContractPart.NOTE));
                    return super.purge(limit);
                }
            };
        }
    }

    static final class PurgesByReadingFirst extends BrokenTck {
        @Override
        IdempotencyStore broken(IdempotencyStore sound) {
            return new DelegatingStore(sound) {
                private final Set<RecordId> claimed = ConcurrentHashMap.newKeySet();

                @Override
                public ClaimResult claim(Claim claim) {
                    claimed.add(claim.id());
                    LockSupport.parkNanos(1_000_000); // so that a purge looks while keys are claimed
                    return super.claim(claim);
                }

                @Override
                public int purge(int limit) {
                    List<RecordId> expired =
                            claimed.stream().filter(id -> now(id).isEmpty()).toList();
                    looksAway();
                    expired.forEach(this::remove);
                    return super.purge(limit);
                }
            };
        }
    }

    static final class PurgesTheTrailWithTheRecord extends BrokenTck {
        @Override
        IdempotencyStore broken(IdempotencyStore sound) {
            return new DelegatingStore(sound) {
                private volatile boolean purged;

                @Override
                public int purge(int limit) {
                    int removed = super.purge(limit);
                    purged |= removed > 0;
                    return removed;
                }

                @Override
                public List<String> audit(RecordId id) {
                    return purged ? List.of() : super.audit(id);
                }
            };
        }
    }

    static final class PurgesWithoutLimit extends BrokenTck {
        @Override
        IdempotencyStore broken(IdempotencyStore sound) {
            return new DelegatingStore(sound) {
                @Override
                public int purge(int limit) {
                    return super.purge(Integer.MAX_VALUE);
                }
            };
        }
    }
}
