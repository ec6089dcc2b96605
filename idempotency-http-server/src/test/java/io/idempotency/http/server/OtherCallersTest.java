package io.idempotency.http.server;

import static io.idempotency.http.server.Wire.post;
import static io.idempotency.http.server.Wire.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idempotency.Refusal;
import io.idempotency.http.server.ShippingController.Background;
import io.idempotency.http.server.ShippingController.Order;
import io.idempotency.http.server.ShippingController.Shipping;
import io.micronaut.context.annotation.Property;
import io.micronaut.context.event.ApplicationEventPublisher;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.client.HttpClient;
import io.micronaut.http.client.annotation.Client;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import jakarta.inject.Inject;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One order that two users, a scheduled job and a listener ask for: how often it is done, by what is said of other callers. */
@Tag("thorough")
@MicronautTest
@Property(name = "test.secured", value = "true")
@Property(name = "test.background", value = "true")
@Property(name = "micronaut.security.enabled", value = "true")
@Property(name = "idempotency.operations.ship-configured.other-callers", value = "share")
@Property(name = "idempotency.operations.hand-isolate.other-callers", value = "isolate")
@Property(name = "idempotency.operations.hand-isolate.programmatic", value = "true")
@Property(name = "idempotency.operations.hand-forbid.other-callers", value = "forbid")
@Property(name = "idempotency.operations.hand-forbid.programmatic", value = "true")
class OtherCallersTest {

    @Inject
    @Client("/shipping")
    HttpClient client;

    @Inject
    Users<?> users;

    @Inject
    Shipping shipping;

    @Inject
    Background background;

    @Inject
    ApplicationEventPublisher<Background.Asked> events;

    private final Order order = new Order(UUID.randomUUID().toString(), 5);
    private int before;

    @BeforeEach
    void users() {
        users.roles.put("alice", Set.of("PAYER"));
        users.roles.put("bob", Set.of("PAYER"));
        before = shipping.bodies.get();
    }

    private HttpResponse<byte[]> send(String user, String path) {
        return new Wire(client)
                .send(post(path, "{\"orderId\":\"" + order.orderId() + "\",\"weight\":5}")
                        .header("Idempotency-Key", order.orderId())
                        .header("X-Request-Id", order.orderId())
                        .basicAuth(user, user));
    }

    private HttpResponse<byte[]> ask(String user, String operation) {
        return send(user, "/bean/" + operation);
    }

    private CompletableFuture<Integer> job(String operation) {
        CompletableFuture<Integer> answer = new CompletableFuture<>();
        background.retries.put(UUID.randomUUID().toString(), new Background.Asked(operation, order, answer));
        return answer.orTimeout(30, TimeUnit.SECONDS);
    }

    private CompletableFuture<Integer> listener(String operation) {
        CompletableFuture<Integer> answer = new CompletableFuture<>();
        events.publishEvent(new Background.Asked(operation, order, answer));
        return answer.orTimeout(30, TimeUnit.SECONDS);
    }

    private int bodies() {
        return shipping.bodies.get() - before;
    }

    @ParameterizedTest
    @ValueSource(strings = {"ship-default", "ship-share", "ship-configured", "ship-arguments", "hand-default"})
    void anOrderIsShippedOnceWhoeverAsksForIt(String operation) {
        HttpResponse<byte[]> alices = ask("alice", operation);
        assertThat(alices.code()).isEqualTo(200);
        HttpResponse<byte[]> bobs = ask("bob", operation);
        assertThat(text(bobs)).isEqualTo(text(alices));
        assertThat(bobs.header("Idempotent-Replayed")).isEqualTo("true");
        assertThat(job(operation).join()).isEqualTo(Integer.valueOf(text(alices)));
        assertThat(listener(operation).join()).isEqualTo(Integer.valueOf(text(alices)));
        assertThat(bodies()).isEqualTo(1);
    }

    @Test
    void usersGetWhatTheJobDid() {
        int jobs = job("ship-default").join();
        assertThat(text(ask("alice", "ship-default"))).isEqualTo(Integer.toString(jobs));
        assertThat(bodies()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ship-isolate", "hand-isolate"})
    void whereCallersAreIsolatedEachHasOneRunAndNobodyIsACallerToo(String operation) {
        HttpResponse<byte[]> alices = ask("alice", operation);
        assertThat(text(ask("bob", operation))).isNotEqualTo(text(alices));
        int nobodys = job(operation).join();
        assertThat(listener(operation).join()).isEqualTo(nobodys);
        assertThat(text(ask("alice", operation))).isEqualTo(text(alices));
        assertThat(bodies()).isEqualTo(3);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ship-forbid", "hand-forbid"})
    void whereTheyAreForbiddenOnlyTheFirstGetsAnAnswer(String operation) {
        HttpResponse<byte[]> alices = ask("alice", operation);
        HttpResponse<byte[]> bobs = ask("bob", operation);
        assertThat(bobs.code()).isEqualTo(403);
        assertThat(text(bobs)).contains("\"code\":\"key-foreign\"").doesNotContain("alice");
        assertThatThrownBy(job(operation)::join).cause().hasFieldOrPropertyWithValue("refusal", Refusal.KEY_FOREIGN);
        assertThatThrownBy(listener(operation)::join)
                .cause()
                .hasFieldOrPropertyWithValue("refusal", Refusal.KEY_FOREIGN);
        assertThat(text(ask("alice", operation))).isEqualTo(text(alices));
        assertThat(bodies()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/header", "/bound"})
    void aKeyThatAClientChoseIsItsOwn(String path) {
        HttpResponse<byte[]> alices = send("alice", path);
        HttpResponse<byte[]> bobs = send("bob", path);
        assertThat(bobs.code()).isEqualTo(200);
        assertThat(text(bobs)).isNotEqualTo(text(alices));
        assertThat(text(send("alice", path))).isEqualTo(text(alices));
        assertThat(bodies()).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/header-share", "/route-key"})
    void aRouteMaySayThatItsKeysAreEverybodys(String path) {
        HttpResponse<byte[]> alices = send("alice", path);
        assertThat(text(send("bob", path))).isEqualTo(text(alices));
        assertThat(bodies()).isEqualTo(1);
    }
}
