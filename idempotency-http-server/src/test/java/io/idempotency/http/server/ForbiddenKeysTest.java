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
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Another user's key, where the keys of requests belong to their users. */
@MicronautTest
@Property(name = "test.secured", value = "true")
@Property(name = "micronaut.security.enabled", value = "true")
@Property(name = "idempotency.http.other-callers", value = "forbid")
class ForbiddenKeysTest {

    @Inject
    @Client("/secured")
    HttpClient client;

    @Inject
    @Client("/shipping")
    HttpClient shipping;

    @Inject
    Users<?> users;

    private final String key = UUID.randomUUID().toString();

    private HttpResponse<byte[]> send(String user, String body) {
        users.roles.put(user, Set.of("PAYER"));
        return new Wire(client)
                .send(post("/charge", body).header("Idempotency-Key", key).basicAuth(user, user));
    }

    @Test
    void anotherUsersKeyIsForbiddenWhateverIsSentWithIt() {
        HttpResponse<byte[]> alices = send("alice", SecurityOrderTest.CHARGE);
        for (String body : new String[] {SecurityOrderTest.CHARGE, "{\"card\":\"visa\",\"amount\":6}"}) {
            HttpResponse<byte[]> bobs = send("bob", body);
            assertThat(bobs.code()).isEqualTo(403);
            assertThat(text(bobs)).contains("\"code\":\"key-foreign\"", "\"executed\":\"no\"");
            assertThat(text(bobs)).doesNotContain("alice");
        }
        HttpResponse<byte[]> replay = send("alice", SecurityOrderTest.CHARGE);
        assertThat(replay.header("Idempotent-Replayed")).isEqualTo("true");
        assertThat(replay.body()).isEqualTo(alices.body());
    }

    @Test
    void keysThatNoClientChoseAreLeftToTheirDefault() {
        HttpResponse<byte[]> alices = ship("alice");
        HttpResponse<byte[]> bobs = ship("bob");
        assertThat(bobs.code()).isEqualTo(200);
        assertThat(bobs.body()).isEqualTo(alices.body());
    }

    private HttpResponse<byte[]> ship(String user) {
        users.roles.put(user, Set.of("PAYER"));
        return new Wire(shipping)
                .send(post("/route-key", "{\"orderId\":\"" + key + "\",\"weight\":5}")
                        .basicAuth(user, user));
    }
}
