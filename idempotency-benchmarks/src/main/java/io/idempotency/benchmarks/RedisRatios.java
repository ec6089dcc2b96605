package io.idempotency.benchmarks;

import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.ClaimResult;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.RecordId;
import io.idempotency.runtime.store.StoredResult;
import io.idempotency.test.servers.RedisServer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.codec.StringCodec;
import io.micronaut.context.ApplicationContext;
import io.micronaut.inject.qualifiers.Qualifiers;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;

/**
 * First calls and replays per second of the Redis store, beside the floor: two bare scripts on a hash for a first call, one
 * for a replay, which know no states, leases, fences, clocks or checksums. One server, the sides in turns; each round
 * gives a ratio to the floor of the same round. The store is asked through its contract, without the rest of the library.
 * CPU time stands beside the clock, of this JVM and of the server: other load on the machine changes it little.
 */
public final class RedisRatios {

    private static final byte[] RESULT =
            "{\"id\":\"ch-f-0000000000-0000-0\",\"orderId\":\"order-4711\",\"amount\":129.90}"
                    .getBytes(StandardCharsets.UTF_8);
    private static final String FINGERPRINT = "1:" + "0123456789abcdef".repeat(4);
    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final Duration DAYS = Duration.ofDays(30);
    private static final String CLAIM = """
            if redis.call('EXISTS', KEYS[1]) == 1 then
              return redis.call('HMGET', KEYS[1], 'op', 'fp', 'owner', 'state', 'lease', 'result')
            end
            redis.call('HSET', KEYS[1], 'op', ARGV[1], 'fp', ARGV[2], 'owner', ARGV[3], 'state', 'P', 'lease', ARGV[4])
            redis.call('PEXPIRE', KEYS[1], ARGV[5])
            return {}""";
    private static final String COMPLETE = """
            if redis.call('HGET', KEYS[1], 'owner') ~= ARGV[1] then return 0 end
            redis.call('HSET', KEYS[1], 'state', 'C', 'result', ARGV[2])
            redis.call('PEXPIRE', KEYS[1], ARGV[3])
            return 1""";

    private static final int REPLAYED = 1000;
    private static final int WARM_UP = 4;
    private static final String CALLER = "caller-";
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final AtomicLong keys = new AtomicLong();
    private final RatioReport report = new RatioReport("redis", "floor");

    private RedisRatios() {}

    /** Runs one call of a key to its end. */
    private interface Side {
        byte[] call(String key);
    }

    /**
     * Measures.
     *
     * @param arguments rounds (9), milliseconds per side and round (500), callers (1,8,64), replicas that must acknowledge (0)
     */
    public static void main(String[] arguments) throws InterruptedException, IOException {
        int rounds = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 9;
        long millis = arguments.length > 1 ? Long.parseLong(arguments[1]) : 500;
        String callers = arguments.length > 2 ? arguments[2] : "1,8,64";
        int replicas = arguments.length > 3 ? Integer.parseInt(arguments[3]) : 0;
        try (RedisServer server = RedisServer.onHost();
                RedisServer replica = replicas == 0
                        ? null
                        : RedisServer.onHost("--replicaof", server.host(), Integer.toString(server.port()))) {
            RedisClient client = RedisClient.create(server.uri());
            RedisCommands<String, byte[]> redis = client.connect(
                            RedisCodec.of(StringCodec.UTF8, ByteArrayCodec.INSTANCE))
                    .sync();
            while (replica != null && !redis.info("replication").contains("state=online")) {
                Thread.onSpinWait();
            }
            try (ApplicationContext plain = application(server, "batch-above", 16);
                    ApplicationContext alone = application(server, "batch-above", -1);
                    ApplicationContext acknowledged = application(server, "replica-acknowledgements", replicas)) {
                Map<String, Side> sides = new LinkedHashMap<>();
                sides.put("floor", floor(redis));
                sides.put("store", store(plain));
                sides.put("without batches", store(alone));
                if (replicas > 0) {
                    sides.put("acknowledged", store(acknowledged));
                }
                RedisRatios ratios = new RedisRatios();
                for (String count : callers.split(",", -1)) {
                    ratios.measure(redis, sides, Integer.parseInt(count), rounds, millis);
                }
                ratios.report.write();
            }
            client.shutdown();
        }
    }

    private static ApplicationContext application(RedisServer server, String setting, int value) {
        return ApplicationContext.run(Map.of(
                "redis.uri",
                server.uri(),
                "idempotency.store",
                "redis",
                "idempotency.redis.required-durability",
                "none",
                "idempotency.redis." + setting,
                value));
    }

    private static Side floor(RedisCommands<String, byte[]> redis) {
        String claim = redis.scriptLoad(CLAIM);
        String complete = redis.scriptLoad(COMPLETE);
        byte[] lease = bytes("30000");
        byte[] doubt = bytes("2592000000");
        byte[] retention = bytes("86400000");
        return key -> {
            String[] keys = {"floor:" + RecordId.of("bench", null, null, key)};
            byte[] owner = bytes(UUID.randomUUID().toString());
            List<byte[]> found = redis.evalsha(
                    claim,
                    ScriptOutputType.MULTI,
                    keys,
                    bytes("bench-charge"),
                    bytes(FINGERPRINT),
                    owner,
                    lease,
                    doubt);
            if (!found.isEmpty()) {
                return found.get(5);
            }
            redis.evalsha(complete, ScriptOutputType.INTEGER, keys, owner, RESULT, retention);
            return RESULT;
        };
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static Side store(ApplicationContext application) {
        IdempotencyStore store = application.getBean(IdempotencyStore.class, Qualifiers.byName("redis"));
        return key -> {
            RecordId id = RecordId.of("bench", null, null, key);
            String owner = UUID.randomUUID().toString();
            ClaimResult claimed = store.claim(new Claim(id, "bench-charge", FINGERPRINT, owner, LEASE, DAYS, false))
                    .toCompletableFuture()
                    .join();
            if (claimed instanceof ClaimResult.Acquired won) {
                store.complete(
                                new Ownership(id, owner, won.fence()),
                                new StoredResult.Present(RESULT),
                                Duration.ofDays(1))
                        .toCompletableFuture()
                        .join();
                return RESULT;
            }
            StoredResult result = ((ClaimResult.Duplicate) claimed).record().result();
            return ((StoredResult.Present) Objects.requireNonNull(result)).bytes();
        };
    }

    private void measure(
            RedisCommands<String, byte[]> redis, Map<String, Side> sides, int callers, int rounds, long millis)
            throws InterruptedException {
        for (int round = -WARM_UP; round < rounds; round++) {
            redis.flushall();
            for (Map.Entry<String, Side> side : sides.entrySet()) {
                for (boolean first : new boolean[] {true, false}) {
                    if (!first) {
                        for (int i = 0; i < REPLAYED; i++) {
                            side.getValue().call(side.getKey() + i);
                        }
                    }
                    double server = serverMicros(redis);
                    Turn turn = turn(side.getKey(), side.getValue(), callers, millis, first);
                    if (round >= 0) {
                        report.add(
                                new RatioReport.Line(side.getKey(), first ? "first call" : "replay", callers),
                                Map.of(
                                        "calls/s", turn.perSecond(),
                                        "JVM µs/call", turn.cpuMicros() / turn.calls(),
                                        "Redis µs/call", (serverMicros(redis) - server) / turn.calls()));
                    }
                }
            }
        }
    }

    /** What a turn of one side came to. */
    private record Turn(long calls, double perSecond, double cpuMicros) {}

    private Turn turn(String name, Side side, int callers, long millis, boolean first) throws InterruptedException {
        AtomicLong done = new AtomicLong();
        CountDownLatch finished = new CountDownLatch(callers);
        AtomicLong cpu = new AtomicLong(-cpuOfThreads());
        long started = System.nanoTime();
        for (int caller = 0; caller < callers; caller++) {
            new Thread(
                            () -> {
                                long calls = 0;
                                for (; System.nanoTime() - started < millis * 1_000_000L; calls++) {
                                    side.call(first ? name + "-" + keys.incrementAndGet() : name + calls % REPLAYED);
                                }
                                done.addAndGet(calls);
                                cpu.addAndGet(THREADS.getCurrentThreadCpuTime());
                                finished.countDown();
                            },
                            CALLER + caller)
                    .start();
        }
        finished.await();
        return new Turn(
                done.get(), done.get() * 1e9 / (System.nanoTime() - started), (cpu.get() + cpuOfThreads()) / 1000.0);
    }

    /** Of this thread and the driver's; what the JVM does beside them, such as compiling, is no part of a call. */
    private static long cpuOfThreads() {
        return Arrays.stream(THREADS.getAllThreadIds())
                .filter(id -> Optional.ofNullable(THREADS.getThreadInfo(id))
                        .filter(thread -> !thread.getThreadName().startsWith(CALLER))
                        .isPresent())
                .map(THREADS::getThreadCpuTime)
                .filter(nanos -> nanos > 0)
                .sum();
    }

    /** CPU time of the server's one thread that executes commands. */
    private static double serverMicros(RedisCommands<String, byte[]> redis) {
        return redis.info("cpu")
                .lines()
                .filter(line -> line.startsWith("used_cpu_user:") || line.startsWith("used_cpu_sys:"))
                .mapToDouble(line -> 1e6 * Double.parseDouble(line.substring(line.indexOf(':') + 1)))
                .sum();
    }
}
