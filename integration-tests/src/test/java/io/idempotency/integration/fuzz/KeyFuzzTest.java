package io.idempotency.integration.fuzz;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idempotency.IdempotencyException;
import io.idempotency.IdempotencyKeyReusedException;
import io.idempotency.integration.fuzz.Target.Receipt;
import io.idempotency.test.fuzz.Fuzz;
import io.idempotency.test.servers.RedisServer;
import io.micronaut.context.ApplicationContext;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Any key and any payload through Redis and its scripts: the second call is the first one's replay, another payload is refused. */
class KeyFuzzTest {

    private static final Map<String, Object> CONFIGURATION = Map.of(
            Target.PROPERTY,
            true,
            "idempotency.store",
            "redis",
            "redis.enabled",
            true,
            "redis.uri",
            RedisServer.shared().uri());

    @Test
    void anyKeyAndPayloadReachTheScriptsUnchanged() {
        try (ApplicationContext application = ApplicationContext.run(CONFIGURATION, "test")) {
            Target.Bean bean = application.getBean(Target.Bean.class);
            Fuzz.inputs(100, input -> {
                String key = input.text(300);
                String payload = input.text(100);
                Receipt first;
                try {
                    first = bean.pay(key, payload);
                } catch (IdempotencyException refused) { // nothing in it can be seen
                    assertThat(refused.executed()).isEqualTo(IdempotencyException.Executed.NO);
                    return;
                }
                assertThat(bean.pay(key, payload)).isEqualTo(first);
                assertThatThrownBy(() -> bean.pay(key, payload + "x"))
                        .isInstanceOf(IdempotencyKeyReusedException.class);
            });
        }
    }
}
