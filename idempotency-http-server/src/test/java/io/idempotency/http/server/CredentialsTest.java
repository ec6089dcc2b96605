package io.idempotency.http.server;

import static io.idempotency.http.server.Wire.post;
import static io.idempotency.http.server.Wire.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.RecordState;
import io.micronaut.context.ApplicationContext;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MutableHttpRequest;
import io.micronaut.http.client.HttpClient;
import io.micronaut.http.cookie.Cookie;
import io.micronaut.inject.qualifiers.Qualifiers;
import io.micronaut.runtime.server.EmbeddedServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Callers whom nobody authenticated for Micronaut: API keys, tokens that a gateway checks, sessions of one's own. */
@Tag("any-jdk")
class CredentialsTest {

    private static final String ITEM = "{\"name\":\"book\",\"item\":\"book\",\"price\":12.50}";

    private final String key = UUID.randomUUID().toString();

    private static void serve(Map<String, Object> more, BiConsumer<ApplicationContext, Wire> test) {
        Map<String, Object> all = new HashMap<>(more);
        all.put("test.shop", true);
        all.put("test.plain", true);
        all.put("idempotency.http.routes.plain-route.path", "/plain/**");
        try (EmbeddedServer server = ApplicationContext.run(EmbeddedServer.class, all);
                HttpClient client = server.getApplicationContext().createBean(HttpClient.class, server.getURL())) {
            test.accept(server.getApplicationContext(), new Wire(client));
        }
    }

    private MutableHttpRequest<?> request(String path) {
        return post(path, ITEM).header("Idempotency-Key", key);
    }

    private HttpResponse<byte[]> send(Wire wire, String path, String authorization) {
        return wire.send(request(path).header("Authorization", authorization));
    }

    private static void isReplayOf(HttpResponse<byte[]> first, HttpResponse<byte[]> second) {
        assertThat(second.header("Idempotent-Replayed")).isEqualTo("true");
        assertThat(second.body()).isEqualTo(first.body());
    }

    private static void isNoReplay(HttpResponse<byte[]> response) {
        assertThat(response.code()).as(text(response)).isEqualTo(201);
        assertThat(response.header("Idempotent-Replayed")).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/shop/pojo", "/plain/pojo"})
    void whoHasOtherCredentialsNeverGetsTheAnswer(String path) {
        serve(Map.of(), (context, wire) -> {
            HttpResponse<byte[]> ones = send(wire, path, "Bearer one");
            isNoReplay(ones);
            isNoReplay(send(wire, path, "Bearer two"));
            isNoReplay(wire.send(request(path)));
            isReplayOf(ones, send(wire, path, "Bearer one"));
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"/shop/pojo", "/plain/pojo"})
    void theHeadersAndCookiesThatCarryCredentialsAreConfigured(String path) {
        Map<String, Object> names = Map.of(
                "idempotency.http.caller-headers",
                List.of("X-Api-Key"),
                "idempotency.http.caller-cookies",
                List.of("SID"));
        serve(names, (context, wire) -> {
            HttpResponse<byte[]> ones = wire.send(request(path).header("x-api-key", "one"));
            isNoReplay(wire.send(request(path).header("X-Api-Key", "two")));
            HttpResponse<byte[]> sessions = wire.send(request(path).cookie(Cookie.of("SID", "one")));
            isNoReplay(sessions);
            isNoReplay(wire.send(request(path).cookie(Cookie.of("SID", "two"))));
            isReplayOf(ones, wire.send(request(path).header("X-Api-Key", "one").header("Authorization", "Bearer x")));
            isReplayOf(sessions, wire.send(request(path).cookie(Cookie.of("SID", "one"))));
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"/shop/pojo", "/plain/pojo"})
    void allShareWhereTheConfigurationSaysSo(String path) {
        serve(Map.of("idempotency.http.caller", "none"), (context, wire) -> {
            HttpResponse<byte[]> ones = send(wire, path, "Bearer one");
            isReplayOf(ones, send(wire, path, "Bearer two"));
            isReplayOf(ones, wire.send(request(path)));
        });
    }

    /** Otherwise each retry would be another caller's, and run again. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/shop/pojo|Digest username=\"a\", nonce=\"n1\", response=\"r1\"|Digest username=\"a\", nonce=\"n2\", response=\"r2\"",
                "/plain/pojo|Digest response=x|Digest response=y",
                "/shop/pojo|AWS4-HMAC-SHA256 Credential=a/b, Signature=abc|AWS4-HMAC-SHA256 Credential=a/b, Signature=abd",
                "/shop/pojo|OAuth oauth_consumer_key=\"a\", oauth_signature=\"s\"|OAuth oauth_consumer_key=\"a\", oauth_signature=\"t\"",
                "/shop/pojo|AWS AKID:abc=|AWS AKID:abd=",
                "/shop/pojo|SharedKey account:abc=|SharedKey account:abd=",
                "/shop/pojo|OSS id:abc=|OSS id:abd=",
                "/shop/pojo|GOOG1 id:abc=|GOOG1 id:abd=",
                "/shop/pojo|EG1-HMAC-SHA256 client_token=a;nonce=1;signature=abc|EG1-HMAC-SHA256 client_token=a;nonce=2;signature=abd",
                "/shop/pojo|q-sign-algorithm=sha1&q-signature=abc|q-sign-algorithm=sha1&q-signature=abd",
                "/shop/pojo|HMAC-SHA256 Credential=a&SignedHeaders=host&Signature=abc|HMAC-SHA256 Credential=a&SignedHeaders=host&Signature=abd",
                "/shop/pojo|Negotiate abc=|negotiate abd="
            })
    void credentialsOfOneRequestBelongToOneCallerOfTheirOwn(String path, String authorization, String next) {
        serve(Map.of(), (context, wire) -> {
            HttpResponse<byte[]> first = send(wire, path, authorization);
            isNoReplay(first);
            isReplayOf(first, send(wire, path, next));
            isNoReplay(wire.send(request(path)));
            isNoReplay(send(wire, path, "Basic dXNlcjpwdw=="));
        });
        serve(
                Map.of("idempotency.http.caller", "none"),
                (context, wire) -> isNoReplay(send(wire, path, authorization)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Basic bm9uY2U6bWFj",
                "Basic dXNlcjpwdw==",
                "Token abc",
                "ApiKey id:secret",
                "SharedAccessSignature sr=shop&sig=abc&se=1893456000&skn=till",
                "Bearer a.b-c_d~e+f/g=",
                "abc"
            })
    void aCredentialThatStaysIsTakenWhateverItsScheme(String authorization) {
        serve(Map.of(), (context, wire) -> {
            HttpResponse<byte[]> first = send(wire, "/shop/pojo", authorization);
            isNoReplay(first);
            isReplayOf(first, send(wire, "/shop/pojo", authorization));
            isNoReplay(send(wire, "/shop/pojo", authorization.replace("abc", "abd") + "X"));
        });
    }

    @Test
    void everyNodeFindsTheSameRecordAndASecretMakesItAnother() {
        List<List<String>> found = new ArrayList<>();
        Map<String, Object> secret = Map.of("idempotency.fingerprint.identity-secret", "a secret of the application");
        for (Map<String, Object> node : List.of(Map.<String, Object>of(), Map.<String, Object>of(), secret, secret)) {
            serve(node, (context, wire) -> {
                isNoReplay(send(wire, "/shop/pojo", "Bearer one"));
                found.add(ids(context));
            });
        }
        assertThat(found.get(0)).hasSize(1).isEqualTo(found.get(1)).isNotEqualTo(found.get(2));
        assertThat(found.get(2)).isEqualTo(found.get(3));
    }

    private static List<String> ids(ApplicationContext context) {
        return context
                .getBean(IdempotencyStore.class, Qualifiers.byName("memory"))
                .list(RecordState.COMPLETED, Duration.ZERO, 10)
                .stream()
                .map(record -> record.id().value())
                .toList();
    }

    /** The whole id stands in the log. */
    @ParameterizedTest
    @ValueSource(strings = {"/shop/pojo", "/plain/pojo"})
    void callersSeeEightDigitsOfARecordsId(String path) {
        serve(Map.of(), (context, wire) -> {
            isNoReplay(wire.send(request(path)));
            HttpResponse<byte[]> refused =
                    wire.send(post(path, ITEM.replace("12", "13")).header("Idempotency-Key", key));
            assertThat(refused.code()).isEqualTo(422);
            assertThat(text(refused) + refused.getHeaders().asMap())
                    .containsPattern("\\[key [0-9a-f]{8}\u2026]")
                    .doesNotContainPattern("[0-9a-f]{9}");
        });
    }

    @Test
    void anUnknownWayToTellCallersStopsTheStart() {
        assertThatThrownBy(() -> serve(Map.of("idempotency.http.caller", "nobody"), (context, wire) -> {}))
                .hasStackTraceContaining("idempotency.http.caller")
                .hasStackTraceContaining("nobody");
    }
}
