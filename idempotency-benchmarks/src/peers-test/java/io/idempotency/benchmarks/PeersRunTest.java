package io.idempotency.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.test.servers.PostgresServer;
import io.idempotency.test.servers.RedisServer;
import io.micronaut.context.ApplicationContext;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** A side that replays nothing, or runs no body, would be compared in vain. */
class PeersRunTest {

    private final AtomicInteger runs = new AtomicInteger();
    private final Function<Charges.Charge, Charges.Receipt> body = charge -> {
        runs.incrementAndGet();
        return new Charges().charge(charge);
    };

    private void eachRunsItsBodyOnceAndReplaysItsResult(Map<String, Peers.Call> calls) throws Exception {
        for (Map.Entry<String, Peers.Call> call : calls.entrySet()) {
            int before = runs.get();
            for (String key : new String[] {"a", "b", "a", "b"}) {
                Charges.Charge charge = Charges.Charge.of(key);
                Charges.Receipt expected = new Charges().charge(charge);
                Object answer = call.getValue().of(charge);
                if (answer instanceof byte[] json) {
                    assertThat(new String(json, StandardCharsets.UTF_8))
                            .as(call.getKey())
                            .contains(
                                    '"' + expected.id() + '"', expected.amount().toString());
                } else {
                    assertThat(answer).as(call.getKey()).isEqualTo(expected);
                }
            }
            assertThat(runs.get() - before).as(call.getKey()).isEqualTo(2);
        }
    }

    @Test
    void eachPeerOnRedisReplays() throws Exception {
        try (RedisServer server = RedisServer.onHost();
                Peers peers = Peers.find()) {
            Map<String, Peers.Call> calls = peers.redis(server.host(), server.port(), body);
            assertThat(calls).hasSize(4);
            eachRunsItsBodyOnceAndReplaysItsResult(calls);
        }
    }

    @Test
    void eachPeerOnPostgresqlReplays() throws Exception {
        try (PostgresServer server = PostgresServer.start();
                ApplicationContext application = Applications.run(Applications.database(server));
                Peers peers = Peers.find()) {
            Map<String, Peers.Call> calls = peers.postgresql(JdbcPart.pool(application), body);
            assertThat(calls).hasSize(4);
            eachRunsItsBodyOnceAndReplaysItsResult(calls);
        }
    }
}
