package io.idempotency.http.server;

import static io.idempotency.http.server.Wire.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.RecordState;
import io.micronaut.context.annotation.Property;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MutableHttpRequest;
import io.micronaut.http.client.HttpClient;
import io.micronaut.http.client.annotation.Client;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import jakarta.inject.Inject;
import jakarta.inject.Named;
import java.time.Duration;
import java.util.Arrays;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Body limit, authentication, authorisation and validation come before the claim, and the first three at every replay. */
@MicronautTest
@Property(name = "test.secured", value = "true")
@Property(name = "micronaut.security.enabled", value = "true")
@Property(name = "micronaut.server.max-request-size", value = "2KB")
@Property(name = "idempotency.http.routes.secured-plain.path", value = "/secured/plain")
class SecurityOrderTest {

    static final String CHARGE = "{\"card\":\"visa\",\"amount\":5}";

    @Inject
    @Client("/")
    HttpClient client;

    @Inject
    SecuredController secured;

    @Inject
    Users<?> users;

    @Inject
    @Named("memory")
    IdempotencyStore store;

    private final String key = UUID.randomUUID().toString();

    @BeforeEach
    void users() {
        users.roles.clear();
        users.roles.put("alice", Set.of("PAYER"));
        users.roles.put("bob", Set.of("PAYER"));
        users.roles.put("guest", Set.of("GUEST"));
    }

    private MutableHttpRequest<?> request(String path, String user, String body) {
        MutableHttpRequest<?> request = Wire.post("/secured" + path, body).header("Idempotency-Key", key);
        return user == null ? request : request.basicAuth(user, user);
    }

    private HttpResponse<byte[]> send(String path, String user, String body) {
        return new Wire(client).send(request(path, user, body));
    }

    private long records() {
        return Arrays.stream(RecordState.values())
                .mapToLong(state -> store.list(state, Duration.ZERO, 1000).size())
                .sum();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/charge|401||{\"card\":\"visa\",\"amount\":5}",
                "/charge|401|mallory|{\"card\":\"visa\",\"amount\":5}",
                "/charge|403|guest|{\"card\":\"visa\",\"amount\":5}",
                "/charge|400|alice|{\"card\":",
                "/charge|400|alice|{\"card\":\"\",\"amount\":5}",
                "/charge|400|alice|{\"card\":\"visa\",\"amount\":-5}",
                "/charge|413|alice|LARGE",
                "/reactive|401||{\"card\":\"visa\",\"amount\":5}",
                "/reactive|403|guest|{\"card\":\"visa\",\"amount\":5}",
                "/reactive|400|alice|{\"card\":\"visa\",\"amount\":-5}",
                "/reactive|413|alice|LARGE",
                "/plain|401||{\"card\":\"visa\",\"amount\":5}",
                "/plain|403|guest|{\"card\":\"visa\",\"amount\":5}",
                "/plain|413|alice|LARGE"
            })
    void whatIsRefusedBeforeTheClaimLeavesNoRecordAndTheKeyIsNotSpent(
            String path, int status, String user, String body) {
        long records = records();
        int bodies = secured.bodies.get();
        String sent = body.equals("LARGE") ? "{\"card\":\"" + "x".repeat(5000) + "\",\"amount\":5}" : body;
        HttpResponse<byte[]> refused = send(path, user, sent);
        assertThat(refused.code()).isEqualTo(status);
        assertThat(refused.header("Idempotency-Status")).isNull();
        assertThat(records()).isEqualTo(records);
        assertThat(secured.bodies).hasValue(bodies);

        HttpResponse<byte[]> accepted = send(path, "alice", CHARGE);
        assertThat(accepted.code()).isEqualTo(200);
        assertThat(accepted.header("Idempotent-Replayed")).isNull();
        assertThat(secured.bodies).hasValue(bodies + 1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/charge", "/reactive", "/plain"})
    void aReplayIsOnlyForWhoMayCallTheRouteNow(String path) {
        HttpResponse<byte[]> first = send(path, "alice", CHARGE);
        assertThat(first.code()).isEqualTo(200);
        assertThat(send(path, null, CHARGE).code()).isEqualTo(401);
        users.roles.put("alice", Set.of());
        assertThat(send(path, "alice", CHARGE).code()).isEqualTo(403);
        users.roles.remove("alice");
        assertThat(send(path, "alice", CHARGE).code()).isEqualTo(401);
        users.roles.put("alice", Set.of("PAYER"));
        HttpResponse<byte[]> replay = send(path, "alice", CHARGE);
        assertThat(replay.header("Idempotent-Replayed")).isEqualTo("true");
        assertThat(replay.body()).isEqualTo(first.body());
    }

    @ParameterizedTest
    @ValueSource(strings = {"/charge", "/reactive", "/plain"})
    void aUsersKeyIsHisOwn(String path) {
        HttpResponse<byte[]> alices = send(path, "alice", CHARGE);
        HttpResponse<byte[]> bobs = send(path, "bob", CHARGE);
        assertThat(bobs.header("Idempotent-Replayed")).isNull();
        assertThat(bobs.body()).isNotEqualTo(alices.body());
        assertThat(send(path, "alice", CHARGE).body()).isEqualTo(alices.body());
    }

    @Test
    void aTenantsKeyIsItsOwn() {
        Wire wire = new Wire(client);
        HttpResponse<byte[]> ones =
                wire.send(request("/charge", "alice", CHARGE).header("X-Tenant", "one"));
        HttpResponse<byte[]> twos =
                wire.send(request("/charge", "alice", CHARGE).header("X-Tenant", "two"));
        assertThat(twos.header("Idempotent-Replayed")).isNull();
        assertThat(twos.body()).isNotEqualTo(ones.body());
    }

    /** A configured route is claimed before the controller validates: the answer to the first content stays. */
    @Test
    void validationOfAConfiguredRouteSpendsNoKeyEither() {
        String invalid = "{\"card\":\"\",\"amount\":5}";
        assertThat(send("/plain", "alice", invalid).code()).isEqualTo(400);
        HttpResponse<byte[]> again = send("/plain", "alice", invalid);
        assertThat(again.code()).isEqualTo(400);
        assertThat(again.header("Idempotent-Replayed")).isNull();
        assertThat(send("/plain", "alice", CHARGE).code()).isEqualTo(200);
    }

    @Test
    void whoMayNotCallTheRouteLearnsNothingAboutTheKey() {
        MutableHttpRequest<?> malformed = Wire.post("/secured/charge", CHARGE).header("Idempotency-Key", "a,b");
        assertThat(new Wire(client).send(malformed).code()).isEqualTo(401);
    }

    @Test
    void problemTypesAreDescribedToAnybody() {
        HttpResponse<byte[]> document = new Wire(client).send(HttpRequest.GET("/problems/idempotency/key-missing"));
        assertThat(document.code()).isEqualTo(200);
        assertThat(text(document)).contains("key-missing");
    }
}
