package io.idempotency.integration.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.api.BugDetectors;
import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import com.sun.net.httpserver.HttpServer;
import io.idempotency.IdempotencyException;
import io.idempotency.SendsIdempotencyKey;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.client.annotation.Client;
import io.micronaut.http.client.exceptions.HttpClientException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.Executors;

/** Any answer of a server: the client's exceptions and no others. */
class AnswerFuzzTest {

    /** Sends a key of its own. */
    @Client("${fuzz.answers}")
    @Requires(property = "fuzz.answers")
    interface Payments {
        @Post("/")
        @SendsIdempotencyKey(key = "#{payload}", retries = 0)
        @Nullable
        String pay(@Body String payload);
    }

    private record Given(int status, String mark, String type, String retryAfter, byte[] body) {}

    private static volatile Given given = new Given(200, "", "text/plain", "", new byte[0]);

    @FuzzTest(maxDuration = "20s")
    void anyAnswerIsAResultOrTheClientsException(FuzzedDataProvider data) throws IOException {
        BugDetectors.allowNetworkConnections();
        Payments payments = Started.application("fuzz.answers", Answers.URL, "idempotency.store", "memory")
                .getBean(Payments.class);
        given = new Given(
                data.consumeInt(200, 599),
                printable(data.consumeAsciiString(80)),
                data.pickValue(new String[] {"application/problem+json", "application/json", "text/html", "nonsense"}),
                printable(data.consumeAsciiString(30)),
                data.consumeRemainingAsBytes());
        try {
            payments.pay("10");
        } catch (IdempotencyException | HttpClientException expected) {
            assertThat(expected).hasMessageContaining("");
        }
    }

    private static String printable(String text) {
        return text.replaceAll("[^ -~]", "");
    }

    private static final class Answers {
        static final String URL = start();

        private static String start() {
            try {
                HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
                server.setExecutor(Executors.newCachedThreadPool(task -> {
                    Thread thread = new Thread(task);
                    thread.setDaemon(true);
                    return thread;
                }));
                server.createContext("/", exchange -> {
                    exchange.getRequestBody().readAllBytes();
                    Given answer = given;
                    exchange.getResponseHeaders().add("Idempotency-Status", answer.mark());
                    exchange.getResponseHeaders().add("Content-Type", answer.type());
                    exchange.getResponseHeaders().add("Retry-After", answer.retryAfter());
                    exchange.sendResponseHeaders(
                            answer.status(), answer.body().length == 0 ? -1 : answer.body().length);
                    exchange.getResponseBody().write(answer.body());
                    exchange.close();
                });
                server.start();
                return "http://127.0.0.1:" + server.getAddress().getPort();
            } catch (IOException e) {
                throw new ExceptionInInitializerError(e);
            }
        }
    }
}
