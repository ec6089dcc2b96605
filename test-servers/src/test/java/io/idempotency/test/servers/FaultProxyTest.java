package io.idempotency.test.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class FaultProxyTest {

    private final FaultProxy proxy =
            FaultProxy.to(RedisServer.shared().host(), RedisServer.shared().port());
    private RespClient direct;
    private RespClient client;

    @BeforeEach
    void connect() throws IOException {
        direct = new RespClient(RedisServer.shared().port());
        direct.call("SET n 0");
        client = new RespClient(proxy.port());
        client.call("PING");
    }

    @AfterEach
    void close() throws IOException {
        client.close();
        direct.close();
        proxy.close();
    }

    @Test
    void passesEverythingOn() throws IOException {
        assertThat(client.call("INCR n")).isEqualTo(":1");
    }

    @Test
    void latencyDelaysBothDirections() throws IOException {
        proxy.latency(Duration.ofMillis(60));
        long start = System.nanoTime();
        client.call("INCR n");
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(Duration.ofMillis(120));
    }

    @Test
    void stalledRequestArrivesAfterwards() throws IOException {
        proxy.stall();
        assertThatThrownBy(() -> client.expectingSilence().call("INCR n")).isInstanceOf(SocketTimeoutException.class);
        assertThat(direct.call("GET n")).isEqualTo("0");
        proxy.pass();
        assertThat(client.expectingReplies().call("GET n")).isEqualTo(":1");
    }

    @Test
    void droppedReplyWasAppliedAndItsConnectionIsResetAfterwards() throws IOException {
        proxy.dropReplies();
        assertThatThrownBy(() -> client.expectingSilence().call("INCR n")).isInstanceOf(SocketTimeoutException.class);
        assertThat(direct.call("GET n")).isEqualTo("1");
        proxy.pass();
        assertThatThrownBy(() -> client.call("INCR n")).isInstanceOf(IOException.class);
    }

    @Test
    void resetOnReplyWasAppliedAndIsSeenAtOnce() throws IOException {
        proxy.resetOnReply();
        assertThatThrownBy(() -> client.call("INCR n")).isInstanceOf(SocketException.class);
        assertThat(direct.call("GET n")).isEqualTo("1");
    }

    @Test
    void resetBreaksOpenConnectionsAndLetsNewOnesThrough() throws IOException {
        proxy.reset();
        assertThatThrownBy(() -> client.call("INCR n")).isInstanceOf(IOException.class);
        try (RespClient next = new RespClient(proxy.port())) {
            assertThat(next.call("INCR n")).isEqualTo(":1");
        }
    }

    @Test
    void refusesNewConnectionsOnly() throws IOException {
        proxy.refuse();
        assertThatThrownBy(() -> {
                    try (RespClient next = new RespClient(proxy.port())) {
                        next.call("INCR n");
                    }
                })
                .isInstanceOf(IOException.class);
        assertThat(client.call("INCR n")).isEqualTo(":1");
    }
}
