package io.idempotency.test.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import org.junit.jupiter.api.Test;

final class RedisServerTest {

    @Test
    void sharedServerIsOneAndServes() throws IOException {
        assertThat(RedisServer.shared()).isSameAs(RedisServer.shared());
        try (RespClient client = new RespClient(RedisServer.shared().port())) {
            assertThat(client.call("PING")).isEqualTo("+PONG");
        }
    }

    @Test
    void pausedServerKeepsItsConnectionsAndAnswersAfterwards() throws IOException {
        try (RedisServer server = RedisServer.onHost();
                RespClient client = new RespClient(server.port())) {
            server.pause();
            client.expectingSilence();
            assertThatThrownBy(() -> client.call("PING")).isInstanceOf(SocketTimeoutException.class);
            client.expectingReplies();
            server.resume();
            assertThat(client.call("PING")).isEqualTo("+PONG");
        }
    }

    @Test
    void killedServerIsGoneAndRestartsWithWhatItPersisted() throws IOException {
        try (RedisServer server = RedisServer.onHost("--appendonly", "yes", "--appendfsync", "always")) {
            try (RespClient client = new RespClient(server.port())) {
                client.call("SET k kept");
            }
            server.kill();
            assertThatThrownBy(() -> new RespClient(server.port())).isInstanceOf(ConnectException.class);
            server.restart();
            try (RespClient client = new RespClient(server.port())) {
                assertThat(client.call("GET k")).isEqualTo("kept");
            }
        }
    }

    @Test
    void serverThatCannotStartSaysWhy() {
        assertThatThrownBy(() -> RedisServer.onHost("--no-such-option", "1"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("no-such-option");
    }
}
