package io.idempotency.test.contract;

import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.RecordId;
import io.idempotency.runtime.store.SettlementSignals;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

/** Stores that leave those waiting who could know. */
final class BrokenSignals {

    private BrokenSignals() {}

    abstract static class SignalsTck extends BrokenTck {

        abstract SettlementSignals.Subscription listen(IdempotencyStore sound, RecordId id, Runnable look);

        @Override
        final IdempotencyStore broken(IdempotencyStore sound) {
            return new Deaf(sound);
        }

        private final class Deaf extends DelegatingStore {
            private final IdempotencyStore sound;

            Deaf(IdempotencyStore sound) {
                super(sound);
                this.sound = sound;
            }

            @Override
            public Optional<SettlementSignals> signals() {
                return Optional.of((id, look) -> SignalsTck.this.listen(sound, id, look));
            }
        }
    }

    /** Says that it hears, whatever is behind it. */
    private record Claimed(SettlementSignals.Subscription behind) implements SettlementSignals.Subscription {
        @Override
        public boolean live() {
            return true;
        }

        @Override
        public void close() {
            behind.close();
        }
    }

    private static SettlementSignals behind(IdempotencyStore sound) {
        return sound.signals().orElseThrow();
    }

    private static Runnable when(BooleanSupplier condition, Runnable look) {
        return () -> {
            if (condition.getAsBoolean()) {
                look.run();
            }
        };
    }

    static final class SaysNothingOfReleases extends SignalsTck {
        @Override
        SettlementSignals.Subscription listen(IdempotencyStore sound, RecordId id, Runnable look) {
            return behind(sound).listen(id, when(() -> sound.find(id).isPresent(), look));
        }
    }

    static final class TellsEachListenerOnce extends SignalsTck {
        @Override
        SettlementSignals.Subscription listen(IdempotencyStore sound, RecordId id, Runnable look) {
            AtomicBoolean listening = new AtomicBoolean();
            AtomicBoolean told = new AtomicBoolean();
            SettlementSignals.Subscription subscription =
                    behind(sound).listen(id, when(() -> !listening.get() || !told.getAndSet(true), look));
            listening.set(true);
            return subscription;
        }
    }

    static final class SaysThatItHearsBeforeItDoes extends SignalsTck {
        @Override
        SettlementSignals.Subscription listen(IdempotencyStore sound, RecordId id, Runnable look) {
            look.run();
            long hearsAt = System.nanoTime() + 20_000_000;
            return new Claimed(behind(sound).listen(id, when(() -> System.nanoTime() >= hearsAt, look)));
        }
    }

    static final class NeverListens extends SignalsTck {
        @Override
        SettlementSignals.Subscription listen(IdempotencyStore sound, RecordId id, Runnable look) {
            return new Claimed(behind(sound).listen(id, () -> {}));
        }
    }
}
