package io.idempotency.http.server;

import static io.idempotency.http.server.Wire.post;
import static io.idempotency.http.server.Wire.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.micronaut.context.annotation.Property;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.client.HttpClient;
import io.micronaut.http.client.annotation.Client;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import jakarta.inject.Inject;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A client that invents keys, in front of annotated methods and of configured routes. */
@Tag("thorough")
@MicronautTest
@Property(name = "test.shop", value = "true")
@Property(name = "test.plain", value = "true")
@Property(name = "idempotency.http.routes.plain-route.path", value = "/plain/**")
@Property(name = "idempotency.max-new-keys-per-caller", value = "2")
@Property(name = "idempotency.limits.window", value = "1h")
class NewKeyLimitsTest {

    @Inject
    @Client("/")
    HttpClient client;

    private HttpResponse<byte[]> send(String path, String user, String key) {
        return new Wire(client)
                .send(post(path, "{\"name\":\"book\",\"item\":\"book\",\"price\":12.50}")
                        .header("Authorization", "Bearer " + user)
                        .header("Idempotency-Key", key));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/shop/pojo", "/shop/reactive", "/plain/pojo"})
    void theNextNewKeyIsAnsweredWith429AndTheKeyStaysFree(String path) {
        HttpResponse<byte[]> first = send(path, "mallory", "k1");
        assertThat(first.code()).isBetween(200, 299);
        send(path, "mallory", "k2");
        HttpResponse<byte[]> refused = send(path, "mallory", "k3");
        assertThat(refused.code()).isEqualTo(429);
        assertThat(Integer.parseInt(refused.header("Retry-After"))).isBetween(1700, 1800);
        assertThat(text(refused))
                .contains("\"code\":\"too-many-records\"", "\"executed\":\"no\"", "\"retry\":\"same-key\"");
        assertThat(text(send(path, "mallory", "k1"))).isEqualTo(text(first));
        HttpResponse<byte[]> others = send(path, "alice", "k3");
        assertThat(others.code()).isBetween(200, 299);
        assertThat(others.header("Idempotent-Replayed")).isNull();
    }
}
