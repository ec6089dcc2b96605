package io.idempotency.redis;

import static io.idempotency.redis.Calls.acquired;
import static io.idempotency.redis.Calls.claim;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.test.servers.RedisServer;
import io.lettuce.core.AbstractRedisClient;
import io.micronaut.context.ApplicationContext;
import io.micronaut.context.exceptions.ConfigurationException;
import io.micronaut.inject.qualifiers.Qualifiers;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class StartUpTest {

    private RedisServer server;

    @BeforeAll
    void start() {
        server = RedisServer.start("--requirepass", "secret");
    }

    @AfterAll
    void stop() {
        server.close();
    }

    private static IdempotencyStore storeOf(ApplicationContext context) {
        return context.getBean(IdempotencyStore.class, Qualifiers.byName("redis"));
    }

    private String uri() {
        return "redis://:secret@" + server.host() + ":" + server.port();
    }

    @Test
    void oneSystemPropertyIsEnough() {
        System.setProperty("redis.uri", uri());
        try (ApplicationContext context = ApplicationContext.run()) {
            assertThatCode(() -> acquired(storeOf(context), claim("k"))).doesNotThrowAnyException();
        } finally {
            System.clearProperty("redis.uri");
        }
    }

    @Test
    void storeCanUseANamedServer() {
        try (ApplicationContext context = ApplicationContext.run(Map.of(
                "redis.uri", "redis://127.0.0.1:1",
                "redis.servers.keys.uri", uri(),
                "idempotency.redis.server", "keys",
                "idempotency.redis.key-prefix", "named:"))) {
            acquired(storeOf(context), claim("k"));
        }
    }

    @Test
    void nothingConnectsUnlessTheStoreIsAskedFor() {
        try (ApplicationContext context = ApplicationContext.run(Map.of("redis.uri", "redis://127.0.0.1:1"))) {
            assertThat(context.containsBean(IdempotencyStore.class, Qualifiers.byName("redis")))
                    .isTrue();
            assertThat(context.getActiveBeanRegistrations(AbstractRedisClient.class))
                    .isEmpty();
        }
    }

    @Test
    void withoutAServerTheMessageNamesThePropertyToSet() {
        try (ApplicationContext context = ApplicationContext.run()) {
            assertRefused(context, "redis.uri is not set");
        }
    }

    @Test
    void settingsOtherThanAnAddressDoNotMeanLocalhost() {
        try (ApplicationContext context =
                ApplicationContext.run(Map.of("redis.servers.keys.uri", uri(), "redis.health.enabled", "false"))) {
            assertRefused(context, "redis.uri is not set", "there is keys");
        }
    }

    @Test
    void unknownServerNameIsRefusedAndTheKnownOnesAreNamed() {
        try (ApplicationContext context = ApplicationContext.run(
                Map.of("redis.uri", uri(), "redis.servers.keys.uri", uri(), "idempotency.redis.server", "kyes"))) {
            assertRefused(context, "idempotency.redis.server is 'kyes'", "redis.servers.kyes.uri", "there is keys");
        }
    }

    @Test
    void serverThatCannotBeReachedIsNamed() {
        try (ApplicationContext context = ApplicationContext.run(Map.of("redis.uri", "redis://127.0.0.1:1"))) {
            assertRefused(context, "127.0.0.1:1 (redis.uri)", "does not start");
        }
    }

    @Test
    void wrongPasswordIsToldAndNotShown() {
        try (ApplicationContext context =
                ApplicationContext.run(Map.of("redis.uri", "redis://:guess@" + server.host() + ":" + server.port()))) {
            assertRefused(context, "WRONGPASS", "redis.uri");
            assertThatThrownBy(() -> storeOf(context)).message().doesNotContain("guess");
        }
    }

    static void assertRefused(ApplicationContext context, String... words) {
        assertThatThrownBy(() -> storeOf(context)).satisfies(failure -> {
            Throwable cause = failure;
            while (!(cause instanceof ConfigurationException) && cause.getCause() != null) {
                cause = cause.getCause();
            }
            assertThat(cause)
                    .isInstanceOf(ConfigurationException.class)
                    .message()
                    .contains(words);
        });
    }
}
