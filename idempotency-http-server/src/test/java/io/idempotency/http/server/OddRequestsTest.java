package io.idempotency.http.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idempotency.IdempotentOperation;
import io.micronaut.context.annotation.Property;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Post;
import io.micronaut.runtime.server.EmbeddedServer;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import jakarta.inject.Inject;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests as few clients send them, byte for byte: nothing runs twice, and what never was a whole request spends no key. */
@Tag("thorough")
@MicronautTest
@Property(name = "test.odd", value = "true")
@Property(name = "idempotency.http.routes.odd-configured.path", value = "/odd/configured")
@Property(name = "micronaut.server.netty.compression-threshold", value = "100")
class OddRequestsTest {

    private static final String BODY = "\"0123456789\"";

    @Inject
    EmbeddedServer server;

    @Inject
    OddController odd;

    private final String key = UUID.randomUUID().toString();

    @Controller("/odd")
    @Requires(property = "test.odd")
    static class OddController {
        final AtomicInteger bodies = new AtomicInteger();

        @Post("/annotated")
        @IdempotentOperation("odd-annotated")
        String annotated(@Body String body) {
            return answer(body);
        }

        @Post("/configured")
        String configured(@Body String body) {
            return answer(body);
        }

        private String answer(String body) {
            return body + " " + bodies.incrementAndGet() + " " + "x".repeat(500);
        }
    }

    @BeforeEach
    void reset() {
        odd.bodies.set(0);
    }

    /** Sends the parts one after the other, and reads what comes until the server closes. */
    private String send(Object... parts) throws IOException {
        try (Socket socket = new Socket("127.0.0.1", server.getPort())) {
            socket.setSoTimeout(20_000);
            socket.setTcpNoDelay(true);
            for (Object part : parts) {
                socket.getOutputStream()
                        .write(
                                part instanceof byte[] bytes
                                        ? bytes
                                        : part.toString().getBytes(StandardCharsets.ISO_8859_1));
                socket.getOutputStream().flush();
            }
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        }
    }

    private String head(String method, String path, String more) {
        return method + " /odd/" + path
                + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\n"
                + "Idempotency-Key: " + key + "\r\n" + more + "\r\n";
    }

    private String plain(String path) throws IOException {
        return send(head("POST", path, "Content-Length: " + BODY.length() + "\r\n"), BODY);
    }

    private void isReplayed(String answer) {
        assertThat(answer).startsWith("HTTP/1.1 200").containsIgnoringCase("idempotent-replayed: true");
        assertThat(odd.bodies).hasValue(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"annotated", "configured"})
    void aBodyInChunksIsTheSameRequestAsOneInAPiece(String path) throws IOException {
        String chunked = send(
                head("POST", path, "Transfer-Encoding: chunked\r\n"),
                "5\r\n\"0123\r\n",
                "7\r\n456789\"\r\n",
                "0\r\n\r\n");
        assertThat(chunked).startsWith("HTTP/1.1 200");
        isReplayed(plain(path));
    }

    @ParameterizedTest
    @ValueSource(strings = {"annotated", "configured"})
    void aClientThatAsksFirstIsTheSameClient(String path) throws IOException {
        String first =
                send(head("POST", path, "Expect: 100-continue\r\nContent-Length: " + BODY.length() + "\r\n"), BODY);
        assertThat(first).contains("HTTP/1.1 200");
        isReplayed(plain(path));
    }

    @ParameterizedTest
    @ValueSource(strings = {"annotated", "configured"})
    void aCompressedBodyRunsOnceToo(String path) throws IOException {
        ByteArrayOutputStream compressed = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(compressed)) {
            gzip.write(BODY.getBytes(StandardCharsets.UTF_8));
        }
        String head = head("POST", path, "Content-Encoding: gzip\r\nContent-Length: " + compressed.size() + "\r\n");
        assertThat(send(head, compressed.toByteArray())).startsWith("HTTP/1.1 200");
        isReplayed(send(head, compressed.toByteArray()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"annotated", "configured"})
    void aCompressedAnswerIsReplayedToWhoReadsNone(String path) throws IOException {
        String zipped =
                send(head("POST", path, "Accept-Encoding: gzip\r\nContent-Length: " + BODY.length() + "\r\n"), BODY);
        assertThat(zipped).containsIgnoringCase("content-encoding: gzip");
        String replay = plain(path);
        isReplayed(replay);
        assertThat(replay).doesNotContainIgnoringCase("content-encoding").contains(BODY + " 1 xxx");
    }

    @ParameterizedTest
    @ValueSource(strings = {"annotated", "configured"})
    void aRequestThatIsCutOffSpendsNoKey(String path) throws IOException {
        try (Socket socket = new Socket("127.0.0.1", server.getPort())) {
            socket.getOutputStream()
                    .write((head("POST", path, "Content-Length: " + BODY.length() + "\r\n") + "\"01")
                            .getBytes(StandardCharsets.ISO_8859_1));
        }
        assertThat(odd.bodies).hasValue(0);
        await().atMost(Duration.ofSeconds(20))
                .untilAsserted(() -> assertThat(plain(path)).startsWith("HTTP/1.1 200"));
        assertThat(odd.bodies).hasValue(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"annotated", "configured"})
    void whatIsRefusedForItsHeadSpendsNoKey(String path) throws IOException {
        String length = "Content-Length: " + BODY.length() + "\r\n";
        assertThat(send(head("POST", path, "X-Huge: " + "x".repeat(100_000) + "\r\n" + length)))
                .startsWith("HTTP/1.1 4");
        assertThat(send(head("HEAD", path, ""))).startsWith("HTTP/1.1 405");
        assertThat(send(head("OPTIONS", path, ""))).startsWith("HTTP/1.1 405");
        assertThat(send(head("POST", path, "Idempotency-Key: other\r\n" + length), BODY))
                .startsWith("HTTP/1.1 400");
        assertThat(send(head("POST", path, length).replace(key, "k\u00e4y"), BODY))
                .startsWith("HTTP/1.1 400");
        assertThat(odd.bodies).hasValue(0);
        assertThat(plain(path)).startsWith("HTTP/1.1 200");
    }

    /** The router and the pattern must agree which paths are the route's. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "configured/",
                "configured//",
                "/configured",
                "./configured",
                "x/../configured",
                "%63onfigured",
                "configured%2F",
                "configured;a=b",
                "configured;a=b/",
                "configured?a=b",
                "configured%20",
                "Configured"
            })
    void aPathThatIsWrittenInAnotherWayIsNotLessProtected(String path) throws IOException {
        String keyless = head("POST", path, "Content-Length: " + BODY.length() + "\r\n")
                .replace("Idempotency-Key: " + key + "\r\n", "");
        assertThat(send(keyless, BODY)).startsWith("HTTP/1.1 40");
        assertThat(send(keyless.replace("POST /", "POST http://localhost/"), BODY))
                .startsWith("HTTP/1.1 40");
        assertThat(odd.bodies).hasValue(0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"annotated", "configured"})
    void aPercentSignInAKeyIsAPercentSign(String path) throws IOException {
        String request = head("POST", path, "Content-Length: " + BODY.length() + "\r\n");
        assertThat(send(request.replace(key, key + "%41"), BODY)).contains(" 1 xxx");
        assertThat(send(request.replace(key, key + "A"), BODY)).contains(" 2 xxx");
    }
}
