package io.idempotency.runtime.soak;

import io.idempotency.runtime.ResultCodec;
import io.idempotency.runtime.memory.MemoryIdempotencyStore;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.RecordState;
import io.idempotency.test.FaultyStore;
import io.idempotency.test.FaultyStore.Call;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A store that is away every now and then, and counts the renewals. */
final class SoakStore {

    private static final Call[] AWAY = {Call.CLAIM, Call.COMPLETE, Call.RENEW, Call.RELEASE, Call.DOUBT, Call.FIND};
    private static final long PHASE_MILLIS = 100;

    private final FaultyStore faulty = new FaultyStore(new MemoryIdempotencyStore());
    private final AtomicInteger renewals = new AtomicInteger();
    private final IdempotencyStore store;
    private int renewalsSeen = -1;
    private long seenNanos;

    SoakStore() {
        this.store = (IdempotencyStore) Proxy.newProxyInstance(
                SoakStore.class.getClassLoader(),
                new Class<?>[] {IdempotencyStore.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("renew")) {
                        renewals.incrementAndGet();
                    }
                    try {
                        return switch (method.getName()) {
                            case "equals" -> proxy == arguments[0];
                            default -> method.invoke(faulty, arguments);
                        };
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    IdempotencyStore store() {
        return store;
    }

    int renewals() {
        return renewals.get();
    }

    /** Is away, loses replies and works again, in turns. */
    void trouble(Duration span) throws InterruptedException {
        long end = System.nanoTime() + span.toNanos();
        CountDownLatch never = new CountDownLatch(1);
        while (System.nanoTime() < end) {
            faulty.mend();
            pause(never);
            if (ThreadLocalRandom.current().nextBoolean()) {
                faulty.refuse(AWAY);
            } else {
                faulty.loseReply(AWAY);
            }
            pause(never);
        }
        faulty.mend();
    }

    void purge() {
        faulty.mend();
        faulty.purge(Integer.MAX_VALUE);
    }

    private static void pause(CountDownLatch never) throws InterruptedException {
        never.await(ThreadLocalRandom.current().nextLong(PHASE_MILLIS), TimeUnit.MILLISECONDS);
    }

    /** For the time in which every living lease would be renewed at least twice. */
    boolean renewsNothing() {
        int now = renewals.get();
        if (now != renewalsSeen) {
            renewalsSeen = now;
            seenNanos = System.nanoTime();
        }
        return System.nanoTime() - seenNanos > Soak.LEASE.toNanos();
    }

    int count(RecordState state) {
        return faulty.list(state, Duration.ZERO, 10).size();
    }

    /** Bytes as they are. */
    static final class Bytes implements ResultCodec {
        @Override
        public byte[] encode(@Nullable Object value) {
            return ((byte[]) Objects.requireNonNull(value)).clone();
        }

        @Override
        public Object decode(byte[] bytes) {
            return bytes.clone();
        }
    }
}
