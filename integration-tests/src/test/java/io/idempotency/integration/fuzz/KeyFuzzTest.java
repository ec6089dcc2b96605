package io.idempotency.integration.fuzz;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.code_intelligence.jazzer.api.BugDetectors;
import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import io.idempotency.IdempotencyException;
import io.idempotency.IdempotencyKeyReusedException;
import io.idempotency.integration.fuzz.Target.Receipt;
import io.idempotency.test.servers.RedisServer;
import java.util.UUID;

/** Any key and any payload through Redis and its scripts: the second call is the first one's replay, another payload is refused. */
class KeyFuzzTest {

    @FuzzTest(maxDuration = "20s")
    void anyKeyAndPayloadReachTheScriptsUnchanged(FuzzedDataProvider data) {
        BugDetectors.allowNetworkConnections();
        Target.Bean bean = Started.application(
                        Target.PROPERTY,
                        true,
                        "idempotency.store",
                        "redis",
                        "redis.enabled",
                        true,
                        "redis.uri",
                        RedisServer.shared().uri())
                .getBean(Target.Bean.class);
        String key = UUID.randomUUID() + data.consumeString(300);
        String payload = data.consumeRemainingAsString();
        Receipt first;
        try {
            first = bean.pay(key, payload);
        } catch (IdempotencyException refused) { // a key that is too long
            assertThat(refused.executed()).isEqualTo(IdempotencyException.Executed.NO);
            return;
        }
        assertThat(bean.pay(key, payload)).isEqualTo(first);
        assertThatThrownBy(() -> bean.pay(key, payload + "x")).isInstanceOf(IdempotencyKeyReusedException.class);
    }
}
