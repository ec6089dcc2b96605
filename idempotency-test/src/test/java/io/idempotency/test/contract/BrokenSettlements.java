package io.idempotency.test.contract;

import io.idempotency.runtime.memory.MemoryIdempotencyStore;
import io.idempotency.runtime.store.AuditNote;
import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.ClaimResult;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.RecordId;
import io.idempotency.runtime.store.RecordState;
import io.idempotency.runtime.store.Resolution;
import io.idempotency.runtime.store.Settled;
import io.idempotency.runtime.store.StoredArguments;
import io.idempotency.runtime.store.StoredFailure;
import io.idempotency.runtime.store.StoredRecord;
import io.idempotency.runtime.store.StoredResult;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/** Stores that let the wrong one settle, or not the right one. */
final class BrokenSettlements {

    private BrokenSettlements() {}

    static final class AnyoneCompletes extends BrokenTck {
        @Override
        IdempotencyStore broken(IdempotencyStore sound) {
            return new DelegatingStore(sound) {
                @Override
                public Settled complete(Ownership asking, StoredResult result, Duration retention) {
                    return super.complete(holder(asking), result, retention);
                }
            };
        }
    }

    /** As the memory store would be, if it went by a clock that can be set. */
    static final class ForgetsWhatItSaidWhenItsClockIsSetBack extends BrokenTck {
        private long behindMillis;

        @Override
        IdempotencyStore broken(IdempotencyStore sound) {
            return new MemoryIdempotencyStore(() -> clock.instant().minusMillis(behindMillis));
        }

        @Override
        protected void moveLease(RecordId id, Duration by) {
            behindMillis += by.toMillis();
        }
    }

    static final class ComparesNoFence extends BrokenTck {
        @Override
        IdempotencyStore broken(IdempotencyStore sound) {
            return new DelegatingStore(sound) {
                @Override
                public Settled complete(Ownership asking, StoredResult result, Duration retention) {
                    Ownership withAnyFence = new Ownership(
                            asking.id(), asking.owner(), holder(asking).fence());
                    return super.complete(withAnyFence, result, retention);
                }
            };
        }
    }

    static final class AnyoneReleases extends BrokenTck {
        @Override
        IdempotencyStore broken(IdempotencyStore sound) {
            return new DelegatingStore(sound) {
                @Override
                public Settled release(Ownership asking) {
                    return super.release(holder(asking));
                }
            };
        }
    }

    /** Forgets the record whenever its owner asks and it is in the given state. */
    private abstract static class ForgetTck extends BrokenTck {

        abstract boolean forgets(StoredRecord record);

        @Override
        final IdempotencyStore broken(IdempotencyStore sound) {
            return new DelegatingStore(sound) {
                @Override
                public Settled release(Ownership asking) {
                    if (now(asking.id())
                            .filter(record -> record.heldBy(asking) && forgets(record))
                            .isEmpty()) {
                        return super.release(asking);
                    }
                    doubt(asking, "forgotten at once", Duration.ofDays(1));
                    return resolve(asking.id(), asking.fence(), new Resolution.Forget(), ContractPart.NOTE);
                }
            };
        }
    }

    static final class ReleasesWhatIsInDoubt extends ForgetTck {
        @Override
        boolean forgets(StoredRecord record) {
            return record.state() == RecordState.IN_DOUBT;
        }
    }

    static final class ForgetsThatItWasInDoubt extends ForgetTck {
        @Override
        boolean forgets(StoredRecord record) {
            return record.state() == RecordState.IN_PROGRESS;
        }
    }

    static final class RefusesTheLateOwner extends BrokenTck {
        @Override
        IdempotencyStore broken(IdempotencyStore sound) {
            return new DelegatingStore(sound) {
                @Override
                public Settled complete(Ownership asking, StoredResult result, Duration retention) {
                    return isNow(asking.id(), RecordState.IN_DOUBT)
                            ? stale(asking.id())
                            : super.complete(asking, result, retention);
                }
            };
        }
    }

    static final class RefusesWhatIsResent extends BrokenTck {
        @Override
        IdempotencyStore broken(IdempotencyStore sound) {
            return new DelegatingStore(sound) {
                @Override
                public Settled fail(Ownership asking, StoredFailure failure, Duration retention) {
                    return isNow(asking.id(), RecordState.FAILED)
                            ? stale(asking.id())
                            : super.fail(asking, failure, retention);
                }
            };
        }
    }

    static final class ResolvesWhateverTheOperatorSaw extends BrokenTck {
        @Override
        IdempotencyStore broken(IdempotencyStore sound) {
            return new DelegatingStore(sound) {
                @Override
                public Settled resolve(RecordId id, long fence, Resolution resolution, AuditNote note) {
                    return super.resolve(id, now(id).map(StoredRecord::fence).orElse(fence), resolution, note);
                }
            };
        }
    }

    static final class ResolvesWithoutRaisingTheFence extends BrokenTck {
        @Override
        IdempotencyStore broken(IdempotencyStore sound) {
            return new DelegatingStore(sound) {
                @Override
                public Settled resolve(RecordId id, long fence, Resolution resolution, AuditNote note) {
                    return resolution instanceof Resolution.Complete done && isNow(id, RecordState.IN_DOUBT)
                            ? complete(holder(new Ownership(id, "", fence)), done.result(), done.retention())
                            : super.resolve(id, fence, resolution, note);
                }
            };
        }
    }

    static final class ForgetsSettledRecordsOfOldLeases extends BrokenTck {
        @Override
        IdempotencyStore broken(IdempotencyStore sound) {
            return new DelegatingStore(sound) {
                @Override
                public Settled resolve(RecordId id, long fence, Resolution resolution, AuditNote note) {
                    return now(id).filter(DelegatingStore::settledAndOfAnOldLease)
                                    .isPresent()
                            ? applied()
                            : super.resolve(id, fence, resolution, note);
                }
            };
        }
    }

    static final class ReleasesSettledRecordsOfOldLeases extends BrokenTck {
        @Override
        IdempotencyStore broken(IdempotencyStore sound) {
            return new DelegatingStore(sound) {
                @Override
                public Settled release(Ownership asking) {
                    return now(asking.id())
                                    .filter(DelegatingStore::settledAndOfAnOldLease)
                                    .isPresent()
                            ? applied()
                            : super.release(asking);
                }
            };
        }
    }

    static final class AcceptsAnotherResult extends BrokenTck {
        @Override
        IdempotencyStore broken(IdempotencyStore sound) {
            return new DelegatingStore(sound) {
                @Override
                public Settled complete(Ownership asking, StoredResult result, Duration retention) {
                    return isNow(asking.id(), RecordState.COMPLETED)
                            ? applied()
                            : super.complete(asking, result, retention);
                }
            };
        }
    }

    static final class AcceptsAnotherFailure extends BrokenTck {
        @Override
        IdempotencyStore broken(IdempotencyStore sound) {
            return new DelegatingStore(sound) {
                @Override
                public Settled fail(Ownership asking, StoredFailure failure, Duration retention) {
                    return isNow(asking.id(), RecordState.FAILED) ? applied() : super.fail(asking, failure, retention);
                }
            };
        }
    }

    static final class SettlesByReadingFirst extends BrokenTck {
        @Override
        IdempotencyStore broken(IdempotencyStore sound) {
            return new DelegatingStore(sound) {
                @Override
                public Settled fail(Ownership asking, StoredFailure failure, Duration retention) {
                    boolean open = isNow(asking.id(), RecordState.IN_PROGRESS);
                    looksAway();
                    Settled settled = super.fail(asking, failure, retention);
                    return open ? applied() : settled;
                }
            };
        }
    }

    static final class ForgetsByReadingFirst extends BrokenTck {
        @Override
        IdempotencyStore broken(IdempotencyStore sound) {
            return new DelegatingStore(sound) {
                @Override
                public Settled resolve(RecordId id, long fence, Resolution resolution, AuditNote note) {
                    if (!(resolution instanceof Resolution.Forget)) {
                        return super.resolve(id, fence, resolution, note);
                    } else if (now(id).filter(record -> record.fence() == fence).isEmpty()) {
                        return stale(id);
                    }
                    looksAway();
                    remove(id);
                    return applied();
                }
            };
        }
    }

    static final class KeepsTheArgumentsOfAFailure extends BrokenTck {
        @Override
        IdempotencyStore broken(IdempotencyStore sound) {
            return new DelegatingStore(sound) {
                private final Map<RecordId, StoredArguments> kept = new ConcurrentHashMap<>();

                @Override
                public ClaimResult claim(Claim claim) {
                    StoredArguments arguments = claim.arguments();
                    if (arguments != null) {
                        kept.put(claim.id(), arguments);
                    }
                    return super.claim(claim);
                }

                @Override
                public Optional<StoredRecord> find(RecordId id) {
                    return super.find(id).map(this::withArguments);
                }

                private StoredRecord withArguments(StoredRecord record) {
                    return record.failure() == null
                            ? record
                            : new StoredRecord(
                                    record.id(),
                                    record.operation(),
                                    record.fingerprint(),
                                    record.state(),
                                    record.owner(),
                                    record.fence(),
                                    record.attempt(),
                                    record.claimedAt(),
                                    record.leaseUntil(),
                                    record.settledAt(),
                                    record.expiresAt(),
                                    record.readAt(),
                                    null,
                                    record.failure(),
                                    null,
                                    kept.get(record.id()));
                }
            };
        }
    }

    static final class KeepsNoAuditTrailOfWhatIsAbsent extends BrokenTck {
        @Override
        IdempotencyStore broken(IdempotencyStore sound) {
            return new DelegatingStore(sound) {
                @Override
                public List<String> audit(RecordId id) {
                    return now(id).isPresent() ? super.audit(id) : List.of();
                }
            };
        }
    }

    static final class AuditsWhatWasRefused extends BrokenTck {
        @Override
        IdempotencyStore broken(IdempotencyStore sound) {
            return new DelegatingStore(sound) {
                private final Map<RecordId, List<String>> trails = new ConcurrentHashMap<>();

                @Override
                public Settled resolve(RecordId id, long fence, Resolution resolution, AuditNote note) {
                    trails.merge(
                            id,
                            List.of(note.text()),
                            (former, next) -> Stream.of(former, next)
                                    .flatMap(List::stream)
                                    .toList());
                    return super.resolve(id, fence, resolution, note);
                }

                @Override
                public List<String> audit(RecordId id) {
                    return trails.getOrDefault(id, List.of());
                }
            };
        }
    }
}
