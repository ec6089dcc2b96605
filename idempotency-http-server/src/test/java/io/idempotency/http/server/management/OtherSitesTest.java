package io.idempotency.http.server.management;

import static org.assertj.core.api.Assertions.assertThat;

import io.micronaut.context.annotation.Property;
import io.micronaut.runtime.server.EmbeddedServer;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import jakarta.inject.Inject;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A page of another site makes an operator's browser send requests: none of them reaches a record. */
@MicronautTest
@Property(name = "idempotency.store", value = "memory")
@Property(name = "endpoints.idempotency.sensitive", value = "false")
class OtherSitesTest {

    private static final String RECORD = "/idempotency/" + "0".repeat(64);
    private static final String JSON = "application/json";

    private final HttpClient browser = HttpClient.newHttpClient();

    @Inject
    EmbeddedServer server;

    private HttpResponse<String> send(String path, String body, String... headers)
            throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(server.getURL() + path))
                .POST(HttpRequest.BodyPublishers.ofString(body));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return browser.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private int settle(String... headers) throws Exception {
        return send(RECORD, "{\"fence\":1,\"outcome\":\"absent\",\"actor\":\"a\",\"reason\":\"r\"}", headers)
                .statusCode();
    }

    @Test
    void aBodyWithoutAJsonContentTypeIsRefused() throws Exception {
        assertThat(settle()).isEqualTo(415);
        for (String type : new String[] {"text/plain", "application/x-www-form-urlencoded", "multipart/form-data"}) {
            assertThat(settle("Content-Type", type)).as(type).isEqualTo(415);
        }
        assertThat(send("/idempotency/find", "{\"operation\":\"o\",\"key\":\"k\"}")
                        .statusCode())
                .isEqualTo(415);
        assertThat(send(RECORD + "/erase", "{\"actor\":\"a\",\"reason\":\"r\"}").statusCode())
                .isEqualTo(415);
        assertThat(settle("Content-Type", "application/json; charset=utf-8")).isEqualTo(409);
    }

    @ParameterizedTest
    @ValueSource(strings = {"https://evil.example", "null", "http://localhost:1", "http://localhost.evil.example"})
    void anotherOriginIsRefused(String origin) throws Exception {
        assertThat(settle("Content-Type", JSON, "Origin", origin)).isEqualTo(403);
        assertThat(settle("Origin", origin)).isEqualTo(403);
        assertThat(send(RECORD + "/erase", "{}", "Content-Type", JSON, "Origin", origin)
                        .statusCode())
                .isEqualTo(403);
        assertThat(settle("Content-Type", JSON, "Origin", origin, "Sec-Fetch-Site", "same-site"))
                .isEqualTo(403);
        assertThat(send(
                                "/idempotency/find",
                                "{\"operation\":\"o\",\"key\":\"k\"}",
                                "Content-Type",
                                JSON,
                                "Origin",
                                origin)
                        .statusCode())
                .isEqualTo(403);
    }

    /** A page may be allowed to set any header of a request, where CORS is switched on for every origin. */
    @Test
    void whatAPageSaysOfTheWayOfItsRequestMakesItsOriginNotThisOne() throws Exception {
        String origin = "http://evil.example";
        assertThat(settle("Content-Type", JSON, "Origin", origin, "X-Forwarded-Host", "evil.example"))
                .isEqualTo(403);
        assertThat(settle("Content-Type", JSON, "Origin", origin, "Forwarded", "host=evil.example;proto=http"))
                .isEqualTo(403);
    }

    /** Browsers leave the standard port out of the origin, and a proxy may add it to the host. */
    @ParameterizedTest
    @CsvSource({"ops, 409", "OPS:80, 409", "ops:443, 409", "ops:81, 403", "cops, 403", "'', 403"})
    void theOriginIsComparedWithTheHostThatWasAskedFor(String host, int status) throws Exception {
        String body = "{\"fence\":1,\"outcome\":\"absent\",\"actor\":\"a\",\"reason\":\"r\"}";
        try (Socket socket = new Socket(server.getHost(), server.getPort())) {
            socket.getOutputStream()
                    .write(("POST " + RECORD + " HTTP/1.1\r\nHost: " + host + "\r\nOrigin: http://ops\r\nContent-Type: "
                                    + JSON + "\r\nContent-Length: " + body.length() + "\r\n\r\n" + body)
                            .getBytes(StandardCharsets.US_ASCII));
            assertThat(new String(socket.getInputStream().readNBytes(12), StandardCharsets.US_ASCII))
                    .isEqualTo("HTTP/1.1 " + status);
        }
    }

    @ParameterizedTest
    @CsvSource({"cross-site,403", "same-origin,409", "none,409"})
    void aBrowserSaysWhetherThePageIsOfThisSite(String site, int status) throws Exception {
        assertThat(settle("Content-Type", JSON, "Sec-Fetch-Site", site)).isEqualTo(status);
    }

    @Test
    void aPageOfThisServerAndClientsThatAreNoBrowsersAreServed() throws Exception {
        assertThat(settle("Content-Type", JSON, "Origin", server.getURL().toString()))
                .isEqualTo(409);
        assertThat(settle("Content-Type", JSON)).isEqualTo(409);
    }

    @Test
    void theOperatorsPageIsOffUnlessItIsSwitchedOn() throws Exception {
        for (String file : new String[] {"ui", "ui.js", "ui.css"}) {
            HttpResponse<String> refused = browser.send(
                    HttpRequest.newBuilder(URI.create(server.getURL() + "/idempotency/" + file))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            assertThat(refused.statusCode()).isEqualTo(404);
            assertThat(refused.body()).contains("idempotency.management.ui: true");
        }
    }

    @Test
    void anUnknownStateIsAProblemThatListsTheStates() throws Exception {
        HttpResponse<String> refused = browser.send(
                HttpRequest.newBuilder(URI.create(server.getURL() + "/idempotency?state=zzz"))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(refused.headers().firstValue("Content-Type")).contains("application/problem+json");
        assertThat(refused.body()).contains("in-doubt", "in-progress", "completed", "failed");
        assertThat(refused.body()).doesNotContain("idempotency.runtime", "zzz");
    }

    @ParameterizedTest
    @ValueSource(strings = {"1e1000000000", "[[[", "{\"a\":1e-1000000000}"})
    void noJsonIsAnErrorOfTheServer(String value) throws Exception {
        String deep = value.equals("[[[") ? "[".repeat(200_000) + "]".repeat(200_000) : value;
        for (String body : new String[] {
            deep,
            "{\"operation\":" + deep + ",\"key\":" + deep + "}",
            "{\"fence\":" + deep + ",\"outcome\":\"completed\",\"actor\":\"a\",\"reason\":\"r\",\"result\":" + deep
                    + "}"
        }) {
            assertThat(send(RECORD, body, "Content-Type", JSON).statusCode()).isBetween(400, 499);
            assertThat(send("/idempotency/find", body, "Content-Type", JSON).statusCode())
                    .isBetween(400, 499);
        }
    }
}
