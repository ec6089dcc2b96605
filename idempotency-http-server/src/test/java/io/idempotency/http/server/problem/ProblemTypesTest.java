package io.idempotency.http.server.problem;

import static io.idempotency.http.server.Wire.post;
import static io.idempotency.http.server.Wire.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idempotency.Refusal;
import io.idempotency.http.server.Wire;
import io.micronaut.context.ApplicationContext;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.client.HttpClient;
import io.micronaut.runtime.server.EmbeddedServer;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Where a problem's type leads. */
@Tag("any-jdk")
class ProblemTypesTest {

    private static void serve(Map<String, Object> properties, Consumer<Wire> test) {
        Map<String, Object> all = new HashMap<>(properties);
        all.put("test.refusals", true);
        try (EmbeddedServer server = ApplicationContext.run(EmbeddedServer.class, all);
                HttpClient client = server.getApplicationContext().createBean(HttpClient.class, server.getURL())) {
            test.accept(new Wire(client));
        }
    }

    private static HttpResponse<byte[]> get(Wire wire, String path, String accept) {
        return wire.send(HttpRequest.GET(path).header("Accept", accept));
    }

    /** The target of the Link header. */
    private static String described(Wire wire, String refusal) {
        String link = wire.send(post(refusal, "{}")).header("Link");
        assertThat(link).endsWith(">; rel=\"describedby\"");
        return link.substring(1, link.indexOf('>'));
    }

    @ParameterizedTest
    @EnumSource(Refusal.class)
    void theLinkOfEveryRefusalLeadsToItsDescriptionInEveryForm(Refusal refusal) {
        serve(Map.of(), wire -> {
            String path = described(wire, "/refuse/" + refusal.code());
            assertThat(text(get(wire, path, "application/json")))
                    .contains(
                            "\"code\":\"" + refusal.code() + "\"", refusal.happened(), refusal.next(), refusal.title());
            assertThat(text(get(wire, path, "text/html")))
                    .startsWith("<!doctype html>")
                    .contains(refusal.happened(), refusal.next());
            assertThat(text(get(wire, path, "text/plain"))).startsWith(refusal.code() + ": " + refusal.title() + "\n");
        });
    }

    @Test
    void aTypeThatDoesNotExistIsNotFound() {
        serve(
                Map.of(),
                wire -> assertThat(get(wire, "/problems/idempotency/nothing", "application/json")
                                .code())
                        .isEqualTo(404));
    }

    @Test
    void theBaseCanBeAnotherPath() {
        serve(Map.of("idempotency.http.problems.base", "/errors"), wire -> {
            assertThat(described(wire, "/refuse/in-progress")).isEqualTo("/errors/in-progress");
            assertThat(get(wire, "/errors/in-progress", "text/plain").code()).isEqualTo(200);
            assertThat(get(wire, "/problems/idempotency/in-progress", "text/plain")
                            .code())
                    .isEqualTo(404);
        });
    }

    @Test
    void theServersContextPathStandsBeforeTheBase() {
        serve(Map.of("micronaut.server.context-path", "/shop"), wire -> {
            String path = described(wire, "/shop/refuse/in-progress");
            assertThat(path).isEqualTo("/shop/problems/idempotency/in-progress");
            assertThat(get(wire, path, "text/plain").code()).isEqualTo(200);
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"/api", "https://example.com/api", "https://example.com"})
    void whatAProxyStripsOfPathsStandsBeforeTheBase(String prefix) {
        Map<String, Object> properties = Map.of(
                "idempotency.http.problems.prefix",
                prefix,
                "micronaut.server.context-path",
                "/shop",
                "idempotency.http.problems.base",
                "/errors");
        serve(properties, wire -> {
            String type = prefix + "/shop/errors/in-progress";
            assertThat(described(wire, "/shop/refuse/in-progress")).isEqualTo(type);
            assertThat(text(wire.send(post("/shop/refuse/in-progress", "{}")))).contains("\"type\":\"" + type + "\"");
            assertThat(get(wire, "/shop/errors/in-progress", "text/plain").code())
                    .isEqualTo(200);
            assertThat(text(get(wire, "/shop/errors/in-progress", "application/json")))
                    .contains("\"" + type + "\"");
        });
    }

    @Test
    void aTypeIsTheSameWhateverARequestSaysOfItsWay() {
        serve(
                Map.of(),
                wire -> assertThat(wire.send(post("/refuse/in-progress", "{}")
                                        .header("X-Forwarded-Prefix", "/api")
                                        .header("X-Forwarded-Host", "evil.example")
                                        .header("Forwarded", "host=evil.example"))
                                .header("Link"))
                        .isEqualTo("</problems/idempotency/in-progress>; rel=\"describedby\""));
    }

    @ParameterizedTest
    @CsvSource({
        "api, /errors",
        "/api/, /errors",
        "/a b, /errors",
        "'', /errors",
        "/api, https://docs.example.com/idempotency"
    })
    void aPrefixThatCannotBeOneStopsTheStart(String prefix, String base) {
        Map<String, Object> properties =
                Map.of("idempotency.http.problems.prefix", prefix, "idempotency.http.problems.base", base);
        assertThatThrownBy(() -> ApplicationContext.run(properties).close())
                .hasStackTraceContaining("idempotency.http.problems.prefix");
    }

    @Test
    void anAbsoluteBaseIsLinkedToAndNotServed() {
        serve(Map.of("idempotency.http.problems.base", "https://docs.example.com/idempotency"), wire -> {
            assertThat(described(wire, "/refuse/in-progress"))
                    .isEqualTo("https://docs.example.com/idempotency/in-progress");
            assertThat(text(wire.send(post("/refuse/in-progress", "{}"))))
                    .contains("\"type\":\"https://docs.example.com/idempotency/in-progress\"");
            assertThat(get(wire, "/problems/idempotency/in-progress", "text/plain")
                            .code())
                    .isEqualTo(404);
        });
    }

    @Test
    void theDescriptionsCanBeSwitchedOff() {
        serve(Map.of("idempotency.http.problems.served", false), wire -> {
            assertThat(described(wire, "/refuse/in-progress")).isEqualTo("/problems/idempotency/in-progress");
            assertThat(get(wire, "/problems/idempotency/in-progress", "text/plain")
                            .code())
                    .isEqualTo(404);
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"problems", "/problems/", "", "/a b", "/a>", "/a{b}", "ftp://example.com", "https://"})
    void aBaseThatCannotBeOneStopsTheStart(String base) {
        assertThatThrownBy(() -> ApplicationContext.run(Map.of("idempotency.http.problems.base", base))
                        .close())
                .hasStackTraceContaining("idempotency.http.problems.base");
    }
}
