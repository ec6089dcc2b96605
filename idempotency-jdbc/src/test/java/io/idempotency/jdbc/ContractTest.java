package io.idempotency.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.runtime.store.*;
import io.micronaut.context.ApplicationContext;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.*;
import java.util.concurrent.*;
import org.junit.jupiter.api.Test;

class ContractTest {
    @Test
    void basics() throws Exception {
        try (ApplicationContext app = Stores.h2()) {
            IdempotencyStore store = Stores.of(app);
            Claim c = Stores.claim("a");
            Ownership o = Stores.own(store, c);
            assertThat(Stores.answer(store, c)).isEqualTo(new ClaimResult.Acquired(o.fence(), 1));
            assertThat(Stores.answer(store, Stores.claim("a"))).isInstanceOf(ClaimResult.Duplicate.class);
            StoredResult r = new StoredResult.Present("x".getBytes(StandardCharsets.UTF_8));
            assertThat(store.renew(o, Stores.LEASE, IdempotencyStore.FOREVER)
                            .toCompletableFuture()
                            .join())
                    .isEqualTo(new Settled.Applied());
            assertThat(store.find(c.id()).toCompletableFuture().join().get().expiresAt())
                    .isNull();
            assertThat(store.list(RecordState.IN_PROGRESS, Duration.ZERO, 5)
                            .toCompletableFuture()
                            .join())
                    .hasSize(1);
            assertThat(store.complete(o, r, Stores.RETENTION)
                            .toCompletableFuture()
                            .join())
                    .isEqualTo(new Settled.Applied());
            assertThat(store.complete(o, r, Stores.RETENTION)
                            .toCompletableFuture()
                            .join())
                    .isEqualTo(new Settled.Applied());
            assertThat(store.fail(o, new StoredFailure("t", "m", null), Stores.RETENTION)
                            .toCompletableFuture()
                            .join())
                    .isInstanceOf(Settled.Stale.class);
            assertThat(store.list(RecordState.COMPLETED, Duration.ZERO, 5)
                            .toCompletableFuture()
                            .join())
                    .hasSize(1);
            assertThat(store.list(RecordState.IN_DOUBT, Duration.ZERO, 5)
                            .toCompletableFuture()
                            .join())
                    .isEmpty();

            Claim d = Stores.claim("d", Duration.ofMillis(1), Stores.RETENTION, false);
            Ownership od = Stores.own(store, d);
            Thread.sleep(5);
            ClaimResult.Acquired taken =
                    Stores.acquired(store, Stores.claim("d", Stores.LEASE, Stores.RETENTION, true));
            assertThat(taken.attempt()).isEqualTo(2);
            assertThat(taken.fence()).isGreaterThan(od.fence());
            assertThat(store.doubt(od, "why", Stores.RETENTION)
                            .toCompletableFuture()
                            .join())
                    .isInstanceOf(Settled.Stale.class);
            Claim e = Stores.claim("e", Duration.ofMillis(1), Duration.ofMillis(1), false);
            Stores.own(store, e);
            Thread.sleep(5);
            assertThat(Stores.acquired(store, Stores.claim("e", Stores.LEASE, Duration.ofMillis(1), false))
                            .attempt())
                    .isEqualTo(1);
            Thread.sleep(5);
            assertThat(store.purge(10).toCompletableFuture().join()).isEqualTo(1);
            Claim f = Stores.claim("f");
            Ownership of = Stores.own(store, f);
            assertThat(store.doubt(of, "why", Stores.RETENTION)
                            .toCompletableFuture()
                            .join())
                    .isEqualTo(new Settled.Applied());
            assertThat(store.doubt(of, "why", Stores.RETENTION)
                            .toCompletableFuture()
                            .join())
                    .isEqualTo(new Settled.Applied());
            assertThat(store.renew(of, Stores.LEASE, Stores.RETENTION)
                            .toCompletableFuture()
                            .join())
                    .isInstanceOf(Settled.Stale.class);
            assertThat(store.resolve(f.id(), of.fence(), new Resolution.Complete(r, Stores.RETENTION))
                            .toCompletableFuture()
                            .join())
                    .isEqualTo(new Settled.Applied());
            assertThat(store.complete(of, r, Stores.RETENTION)
                            .toCompletableFuture()
                            .join())
                    .isInstanceOf(Settled.Stale.class);
        }
    }

    @Test
    void race() throws Exception {
        try (ApplicationContext app = Stores.h2("datasources.default.maximum-pool-size", 16)) {
            IdempotencyStore store = Stores.of(app);
            ExecutorService pool = Executors.newFixedThreadPool(64);
            for (int i = 0; i < 200; i++) {
                String key = "k" + i;
                CyclicBarrier b = new CyclicBarrier(64);
                List<Future<ClaimResult>> fs = new ArrayList<>();
                for (int t = 0; t < 64; t++)
                    fs.add(pool.submit(() -> {
                        Claim c = Stores.claim(key);
                        b.await();
                        return Stores.answer(store, c);
                    }));
                int n = 0;
                for (Future<ClaimResult> f : fs) if (f.get() instanceof ClaimResult.Acquired) n++;
                assertThat(n).isEqualTo(1);
            }
            pool.shutdown();
        }
    }
}
