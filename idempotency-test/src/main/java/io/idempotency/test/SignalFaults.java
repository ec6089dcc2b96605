package io.idempotency.test;

import io.idempotency.runtime.store.RecordId;
import io.idempotency.runtime.store.SettlementSignals;
import io.idempotency.runtime.store.SettlementSignals.Subscription;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Breaks the signals of a {@link FaultyStore}. */
final class SignalFaults {

    private final Set<Heard> listening = ConcurrentHashMap.newKeySet();
    private volatile Mode mode = Mode.HEARD;

    enum Mode {
        HEARD,
        /** No signal arrives, and subscriptions say so. */
        NO_CHANNEL,
        /** No signal arrives, but subscriptions claim to be live. */
        LOST
    }

    /** A subscription, compared by identity. */
    private final class Heard implements Subscription {
        private final Runnable look;
        private final Subscription behind;

        Heard(SettlementSignals signals, RecordId id, Runnable look) {
            this.look = look;
            this.behind = signals.listen(id, () -> {
                if (mode == Mode.HEARD) {
                    look.run();
                }
            });
        }

        @Override
        public boolean live() {
            return mode != Mode.NO_CHANNEL && behind.live();
        }

        @Override
        public void close() {
            listening.remove(this);
            behind.close();
        }
    }

    /** Changes the mode. Listeners look once more when the channel comes or goes, as the contract demands. */
    void set(Mode now) {
        boolean news = (mode == Mode.NO_CHANNEL) != (now == Mode.NO_CHANNEL);
        mode = now;
        if (news) {
            listening.forEach(heard -> heard.look.run());
        }
    }

    Subscription listen(SettlementSignals signals, RecordId id, Runnable look) {
        Heard heard = new Heard(signals, id, look);
        listening.add(heard);
        if (mode == Mode.LOST) {
            look.run();
        }
        return heard;
    }

    int listening() {
        return listening.size();
    }
}
