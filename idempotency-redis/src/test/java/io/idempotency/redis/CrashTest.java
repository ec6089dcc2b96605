package io.idempotency.redis;

import static io.idempotency.redis.Calls.claim;
import static io.idempotency.redis.Calls.get;
import static io.idempotency.redis.Calls.id;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idempotency.runtime.store.Claim;
import io.idempotency.test.servers.RedisServer;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Redis is killed while claims are made: which of those that it acknowledged does it still know? */
@Tag("thorough")
class CrashTest {

    private static final int CLAIMS = 4000;

    @Test
    void noAcknowledgedClaimIsLostWithAppendfsyncAlways() {
        Crash crash = crash("--appendonly", "yes", "--appendfsync", "always");
        assertThat(crash.acknowledged()).isNotEmpty();
        assertThat(crash.lost()).isEmpty();
    }

    /** The negative control: the same test does see a loss. */
    @Test
    void everyAcknowledgedClaimIsLostWithoutPersistence() {
        Crash crash = crash();
        assertThat(crash.acknowledged()).isNotEmpty();
        assertThat(crash.lost()).hasSameSizeAs(crash.acknowledged());
    }

    private record Crash(List<Claim> acknowledged, List<Claim> lost) {}

    private static Crash crash(String... settings) {
        try (RedisServer server = RedisServer.onHost(settings);
                RedisApplication application = RedisApplication.on(server.uri())) {
            RedisIdempotencyStore store = application.store();
            Queue<Claim> acknowledged = new ConcurrentLinkedQueue<>();
            ExecutorService callers = Executors.newFixedThreadPool(16);
            List<CompletableFuture<?>> claims = IntStream.range(0, CLAIMS)
                    .mapToObj(i -> claim("k" + i))
                    .<CompletableFuture<?>>map(claim -> CompletableFuture.runAsync(
                            () -> {
                                get(store.claim(claim));
                                acknowledged.add(claim);
                            },
                            callers))
                    .toList();
            await().until(() -> acknowledged.size() > CLAIMS / 20);
            server.kill();
            claims.forEach(claim -> claim.exceptionally(killed -> null).join());
            callers.shutdown();

            server.restart();
            await().ignoreExceptions().until(() -> get(store.find(id("unused"))).isEmpty());
            List<Claim> made = List.copyOf(acknowledged);
            return new Crash(
                    made,
                    made.stream().filter(claim -> !stillOwned(store, claim)).toList());
        }
    }

    private static boolean stillOwned(RedisIdempotencyStore store, Claim claim) {
        return get(store.find(claim.id()))
                .filter(record -> record.owner().equals(claim.owner()))
                .isPresent();
    }
}
