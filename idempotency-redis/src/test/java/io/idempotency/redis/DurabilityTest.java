package io.idempotency.redis;

import static io.idempotency.redis.Calls.acquired;
import static io.idempotency.redis.Calls.claim;
import static io.idempotency.redis.Calls.get;
import static io.idempotency.redis.Calls.result;
import static io.idempotency.redis.DurabilityLevel.ALWAYS;
import static io.idempotency.redis.DurabilityLevel.EVERY_SECOND;
import static io.idempotency.redis.DurabilityLevel.NONE;
import static io.idempotency.redis.DurabilityLevel.SNAPSHOT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.RecordState;
import io.idempotency.runtime.store.Settled;
import io.idempotency.test.servers.RedisServer;
import io.lettuce.core.AclSetuserArgs;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.protocol.CommandType;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@Tag("thorough")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DurabilityTest {

    private static final Map<String, String> SAFEST = Map.of(
            "appendonly", "yes",
            "appendfsync", "always",
            "no-appendfsync-on-rewrite", "no",
            "save", "",
            "maxmemory", "0",
            "maxmemory-policy", "noeviction");

    private RedisServer server;
    private RedisClient client;
    private RedisCommands<String, String> redis;

    @BeforeAll
    void start() {
        server = RedisServer.start();
        client = RedisClient.create(server.uri());
        redis = client.connect().sync();
    }

    @AfterAll
    void stop() {
        client.shutdown();
        server.close();
    }

    @BeforeEach
    void safest() {
        SAFEST.forEach(redis::configSet);
        redis.aclDeluser("limited");
    }

    private RedisApplication on(String... settings) {
        return RedisApplication.on(server.uri(), settings);
    }

    private static Stream<Arguments> levels() {
        return Stream.of(
                arguments(Map.of(), ALWAYS),
                arguments(Map.of("appendfsync", "everysec"), EVERY_SECOND),
                arguments(Map.of("appendfsync", "no"), SNAPSHOT),
                arguments(Map.of("no-appendfsync-on-rewrite", "yes"), SNAPSHOT),
                arguments(Map.of("appendonly", "no", "save", "3600 1"), SNAPSHOT),
                arguments(Map.of("appendonly", "no"), NONE),
                arguments(Map.of("maxmemory-policy", "allkeys-lru"), ALWAYS),
                arguments(Map.of("maxmemory", "100mb", "maxmemory-policy", "allkeys-lru"), NONE),
                arguments(Map.of("maxmemory", "100mb", "maxmemory-policy", "volatile-ttl"), NONE),
                arguments(Map.of("maxmemory", "100mb"), ALWAYS));
    }

    @ParameterizedTest
    @MethodSource("levels")
    void levelIsReadOffTheServer(Map<String, String> settings, DurabilityLevel level) {
        settings.forEach(redis::configSet);
        try (RedisApplication application = on()) {
            RedisDurability durability = application.store().durability.ask();
            assertThat(durability.actual()).isEqualTo(level);
            assertThat(durability.met()).isTrue();
        }
    }

    @Test
    void requirementThatIsMetLetsTheApplicationStart() {
        try (RedisApplication application = on("idempotency.redis.required-durability", "always")) {
            assertThat(application.store().durability.ask().required()).isEqualTo(ALWAYS);
        }
    }

    @Test
    void requirementThatIsNotMetSaysWhatWasFoundAndWhatToSet() {
        redis.configSet("appendfsync", "everysec");
        try (RedisApplication application = on("idempotency.redis.required-durability", "always")) {
            StartUpTest.assertRefused(
                    application.context(),
                    "requires durability always (idempotency.redis.required-durability)",
                    "has every-second",
                    "appendfsync everysec",
                    "set appendonly yes, appendfsync always");
        }
    }

    @Test
    void evictionIsNoDurabilityAtAll() {
        redis.configSet("maxmemory", "100mb");
        redis.configSet("maxmemory-policy", "allkeys-lru");
        try (RedisApplication application = on("idempotency.redis.required-durability", "snapshot")) {
            StartUpTest.assertRefused(
                    application.context(), "maxmemory-policy allkeys-lru with a maxmemory", "noeviction");
        }
    }

    @Test
    void missingReplicasStopTheStart() {
        try (RedisApplication application = on("idempotency.redis.replica-acknowledgements", "1")) {
            StartUpTest.assertRefused(
                    application.context(), "0 replicas", "idempotency.redis.replica-acknowledgements");
        }
    }

    @Test
    void serverThatForbidsConfigNeedsTheOperatorsWord() {
        String limited = forbid(CommandType.CONFIG);
        try (RedisApplication application =
                on("redis.uri", limited, "idempotency.redis.required-durability", "every-second")) {
            StartUpTest.assertRefused(
                    application.context(),
                    "has snapshot",
                    "CONFIG is not permitted",
                    "idempotency.redis.assume-durability");
        }
        try (RedisApplication application = on(
                "redis.uri",
                limited,
                "idempotency.redis.required-durability",
                "every-second",
                "idempotency.redis.assume-durability",
                "every-second")) {
            assertThat(application.store().durability.ask().actual()).isEqualTo(EVERY_SECOND);
        }
    }

    @Test
    void serverThatForbidsConfigAndInfoNeedsTheOperatorsWord() {
        String limited = forbid(CommandType.CONFIG, CommandType.INFO);
        try (RedisApplication application = on("redis.uri", limited, "idempotency.redis.assume-durability", "always")) {
            assertThat(application.store().durability.ask().actual()).isEqualTo(ALWAYS);
        }
    }

    @Test
    void operatorsWordDoesNotCountAgainstWhatTheServerSays() {
        redis.configSet("appendfsync", "everysec");
        try (RedisApplication application = on("idempotency.redis.assume-durability", "always")) {
            assertThat(application.store().durability.ask().actual()).isEqualTo(EVERY_SECOND);
        }
    }

    /** The list of docs/redis.md. */
    @Test
    void userWithNothingButTheDocumentedPermissionsIsEnough() {
        AclSetuserArgs permissions = new AclSetuserArgs()
                .on()
                .addPassword("pw")
                .keyPattern("idempotency:*")
                .noCommands();
        for (CommandType command : List.of(
                CommandType.EVALSHA,
                CommandType.EVAL,
                CommandType.SCRIPT,
                CommandType.TIME,
                CommandType.GET,
                CommandType.SET,
                CommandType.ZADD,
                CommandType.ZREM,
                CommandType.ZRANGE,
                CommandType.ZRANGEBYSCORE,
                CommandType.APPEND,
                CommandType.PERSIST,
                CommandType.PEXPIRE,
                CommandType.SCAN)) {
            permissions.addCommand(command);
        }
        redis.aclSetuser("limited", permissions);
        try (RedisApplication application = on("redis.uri", server.uri().replace("redis://", "redis://limited:pw@"))) {
            RedisIdempotencyStore store = application.store();
            Ownership owner = acquired(store, claim("k"));
            for (int i = 0; i < 2; i++) {
                assertThat(get(store.complete(owner, result("done"), IdempotencyStore.FOREVER)))
                        .isInstanceOf(Settled.Applied.class);
            }
            assertThat(get(store.release(acquired(store, claim("released"))))).isInstanceOf(Settled.Applied.class);
            assertThat(get(store.list(RecordState.COMPLETED, Duration.ZERO, 9))).hasSize(1);
            assertThat(store.durability.ask().actual()).isEqualTo(NONE);
        }
    }

    private String forbid(CommandType... commands) {
        AclSetuserArgs limits =
                new AclSetuserArgs().on().addPassword("pw").allKeys().allCommands();
        for (CommandType command : commands) {
            limits.removeCommand(command);
        }
        redis.aclSetuser("limited", limits);
        return server.uri().replace("redis://", "redis://limited:pw@");
    }
}
