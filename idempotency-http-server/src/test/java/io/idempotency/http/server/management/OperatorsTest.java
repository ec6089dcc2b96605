package io.idempotency.http.server.management;

import static io.idempotency.http.server.Wire.post;
import static io.idempotency.http.server.Wire.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.http.server.Wire;
import io.micronaut.context.ApplicationContext;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MutableHttpRequest;
import io.micronaut.http.client.HttpClient;
import io.micronaut.runtime.server.EmbeddedServer;
import io.micronaut.security.authentication.AuthenticationRequest;
import io.micronaut.security.authentication.AuthenticationResponse;
import io.micronaut.security.authentication.provider.HttpRequestAuthenticationProvider;
import jakarta.inject.Singleton;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Settling a record may make a payment unpaid: with Micronaut Security only operators use the endpoint, whatever the other rules say. */
@Tag("thorough")
class OperatorsTest {

    private static final String RECORD = "/idempotency/" + "0".repeat(64);
    private static final String DECISION =
            "{\"fence\":1,\"outcome\":\"absent\",\"actor\":\"mallory\",\"reason\":\"asked the bank\"}";

    /** Anna is an operator, carl a customer; their passwords are their names. */
    @Singleton
    @io.micronaut.context.annotation.Requires(property = "test.operators")
    static class Staff<B> implements HttpRequestAuthenticationProvider<B> {
        @Override
        public AuthenticationResponse authenticate(
                HttpRequest<B> request, AuthenticationRequest<String, String> asked) {
            return AuthenticationResponse.success(
                    asked.getIdentity(), List.of(asked.getIdentity().equals("anna") ? "OPERATOR" : "CUSTOMER"));
        }
    }

    /** A secured application. */
    private static final class Shop implements AutoCloseable {
        private final EmbeddedServer server;
        private final Wire wire;

        Shop(Map<String, ?> more) {
            Map<String, Object> properties = new HashMap<>(Map.of(
                    "test.operators", true,
                    "test.paid", true,
                    "idempotency.store", "memory",
                    "idempotency.management.ui", true,
                    "micronaut.security.enabled", true,
                    "micronaut.server.port", -1));
            properties.putAll(more);
            server = ApplicationContext.run(EmbeddedServer.class, properties);
            wire = new Wire(server.getApplicationContext().createBean(HttpClient.class, server.getURL()));
        }

        HttpResponse<byte[]> send(MutableHttpRequest<?> request, String user) {
            return wire.send(user == null ? request : request.basicAuth(user, user));
        }

        @Override
        public void close() {
            wire.client().close();
            server.close();
        }
    }

    static Stream<Map<String, ?>> otherRules() {
        return Stream.of("", "isAuthenticated()", "isAnonymous()", "denyAll()")
                .flatMap(access -> Stream.of(true, false).map(sensitive -> rules(access, sensitive)));
    }

    private static Map<String, ?> rules(String access, boolean sensitive) {
        Map<String, Object> rules = new HashMap<>(Map.of("endpoints.idempotency.sensitive", sensitive));
        if (!access.isEmpty()) {
            rules.put("micronaut.security.intercept-url-map[0].pattern", "/**");
            rules.put("micronaut.security.intercept-url-map[0].access", access);
        }
        return rules;
    }

    private static List<Supplier<MutableHttpRequest<?>>> operations() {
        return List.of(
                () -> HttpRequest.GET("/idempotency"),
                () -> HttpRequest.GET(RECORD),
                () -> HttpRequest.GET("/idempotency/ui"),
                () -> HttpRequest.GET("/idempotency/ui.js"),
                () -> post(RECORD + "/erase", DECISION),
                () -> post("/idempotency/find", "{\"operation\":\"pay-pojo\",\"key\":\"k\"}"),
                () -> post(RECORD, DECISION));
    }

    @ParameterizedTest
    @MethodSource("otherRules")
    void onlyCallersOfAConfiguredRoleUseAnyOperation(Map<String, Object> rules) {
        Map<String, Object> properties = new HashMap<>(rules);
        properties.put("idempotency.management.roles", "OPERATOR,ADMIN");
        try (Shop shop = new Shop(properties)) {
            for (Supplier<MutableHttpRequest<?>> operation : operations()) {
                assertThat(shop.send(operation.get(), null).code()).isEqualTo(401);
                assertThat(shop.send(operation.get(), "carl").code()).isEqualTo(403);
                assertThat(shop.send(operation.get(), "anna").code()).isIn(200, 404, 409);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("otherRules")
    void withoutConfiguredRolesTheAnswerSaysWhatToSet(Map<String, Object> rules) {
        try (Shop shop = new Shop(rules)) {
            for (Supplier<MutableHttpRequest<?>> operation : operations()) {
                assertThat(shop.send(operation.get(), null).code()).isEqualTo(401);
                HttpResponse<byte[]> refused = shop.send(operation.get(), "anna");
                assertThat(refused.code()).isEqualTo(403);
                assertThat(text(refused)).contains("idempotency.management.roles");
            }
        }
    }

    @Test
    void theAuditTrailHasTheAuthenticatedOperatorWhateverTheBodySays() {
        Map<String, Object> properties = new HashMap<>(rules("isAnonymous()", true));
        properties.put("idempotency.management.roles", "OPERATOR");
        try (Shop shop = new Shop(properties)) {
            String key = UUID.randomUUID().toString();
            shop.send(post("/paid/pojo", "{\"id\":\"p-1\",\"amount\":12.50}").header("Idempotency-Key", key), null);
            String page = text(shop.send(HttpRequest.GET("/idempotency?operation=pay-pojo"), "anna"));
            String id = page.replaceFirst("(?s).*\"id\":\"([0-9a-f]{64})\".*", "$1");
            String fence = page.replaceFirst("(?s).*\"fence\":(\\d+).*", "$1");
            HttpResponse<byte[]> settled = shop.send(
                    post("/idempotency/" + id, DECISION.replace("\"fence\":1", "\"fence\":" + fence)), "anna");
            assertThat(settled.code()).as(text(settled)).isEqualTo(200);
            assertThat(text(settled)).contains("\"actor\":\"anna\"").doesNotContain("mallory");
            assertThat(page).contains("\"actor\":\"anna\"");
        }
    }
}
