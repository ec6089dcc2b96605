package io.idempotency.http.server.route;

import static io.idempotency.http.server.Wire.post;
import static io.idempotency.http.server.Wire.text;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.idempotency.http.server.Wire;
import io.idempotency.runtime.CallerResolver;
import io.micronaut.context.annotation.Property;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Consumes;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.client.HttpClient;
import io.micronaut.http.client.annotation.Client;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.scheduler.NonBlocking;

/** Configured routes on which a request is its JSON, however that is written. */
@MicronautTest
@Property(name = "test.canonical", value = "true")
@Property(name = "idempotency.http.routes.canonical.path", value = "/canonical/json")
@Property(name = "idempotency.http.routes.canonical.canonical-json", value = "true")
@Property(name = "idempotency.http.routes.by-bytes.path", value = "/canonical/bytes")
class CanonicalJsonTest {

    @Inject
    @Client("/canonical")
    HttpClient client;

    @Inject
    CanonicalController controller;

    @Inject
    NotedThreads callers;

    private final String key = UUID.randomUUID().toString();

    @Controller("/canonical")
    @Consumes(MediaType.ALL)
    @Requires(property = "test.canonical")
    static class CanonicalController {
        final AtomicInteger bodies = new AtomicInteger();

        @Post("/{way}")
        String answer(String way, @Body byte[] body) {
            return way + " " + bodies.incrementAndGet();
        }
    }

    private HttpResponse<byte[]> send(String path, byte[] body, String type) {
        return new Wire(client).send(post(path, "").body(body).contentType(type).header("Idempotency-Key", key));
    }

    private HttpResponse<byte[]> send(String body) {
        return send("/json", body.getBytes(StandardCharsets.UTF_8), "application/json");
    }

    private void areOneRequest(HttpResponse<byte[]> first, HttpResponse<byte[]> second) {
        assertThat(text(second)).isEqualTo(text(first));
        assertThat(second.header("Idempotent-Replayed")).isEqualTo("true");
        assertThat(controller.bodies).hasValue(1);
    }

    private void areTwoRequests(HttpResponse<byte[]> first, HttpResponse<byte[]> second) {
        assertThat(first.code()).isEqualTo(200);
        assertThat(second.code()).isEqualTo(422);
        assertThat(controller.bodies).hasValue(1);
    }

    @BeforeEach
    void reset() {
        controller.bodies.set(0);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"a\":1,\"b\":2} | { \"b\" : 2,\t\"a\" : 1 }",
                "{\"a\":{\"y\":[1,2],\"x\":null}} | {\"a\":{\"x\":null,\"y\":[ 1 , 2 ]}}",
                "{\"price\":12.50} | {\"price\":12.5}",
                "[100] | [1e2]",
                "[1.0] | [1]",
                "[0] | [-0.0]",
                "[\"/\"] | [\"\\/\"]",
                "[\"\u00fc\u2603\"] | [\"\\u00fc\\u2603\"]",
                "[\"\ud83d\ude00\"] | [\"\\ud83d\\uDE00\"]",
                "[\"\\n\"] | [\"\\u000A\"]",
                "{} | { }",
                "true | ` true`"
            })
    void whatIsWrittenInAnotherWayIsTheSameRequest(String first, String second) {
        areOneRequest(send(first), send(second));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "[1,2] | [2,1]",
                "[9007199254740993] | [9007199254740992]",
                "[1e400] | [1e401]",
                "[0.1] | [0.1000000000000000055]",
                "[1] | [\"1\"]",
                "[null] | [\"null\"]",
                "[true] | [\"true\"]",
                "{\"a\":null} | {}",
                "[] | {}",
                "[[1],2] | [[1,2]]",
                "{\"a\":1} | {\"A\":1}",
                "[\"a b\"] | [\"a  b\"]",
                "[\"\u00e9\"] | [\"e\u0301\"]",
                "{\"a\":\"1,b:2\"} | {\"a\":\"1\",\"b\":\"2\"}"
            })
    void whatSaysSomethingElseIsAnotherRequest(String first, String second) {
        areTwoRequests(send(first), send(second));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"a\":1,\"a\":2}",
                "{\"a\":1,\"\\u0061\":2}",
                "[1,]",
                "{\"a\":1}x",
                "[01]",
                "[+1]",
                "[.5]",
                "[1.]",
                "[NaN]",
                "['a']",
                "[\"\\x\"]",
                "[\"\\ud83d\"]",
                "[\"\t\"]",
                "[1e99999999999]",
                "{\"a\"",
                "[\"",
                "\\",
                "/**/1",
                "\ufeff1"
            })
    void whatIsNoStrictJsonCountsByItsBytes(String body) {
        HttpResponse<byte[]> first = send(body);
        areOneRequest(first, send(body));
        areTwoRequests(first, send(body + " "));
    }

    @Test
    void whatIsNoUtf8OrTooDeepOrTooLongANumberCountsByItsBytes() {
        byte[] broken = {'[', '"', (byte) 0xc3, '"', ']'};
        areOneRequest(send("/json", broken, "application/json"), send("/json", broken, "application/json"));
        assertThat(CanonicalJson.of(broken)).isEmpty();
        assertThat(CanonicalJson.of(("[".repeat(100_000) + "]".repeat(100_000)).getBytes(StandardCharsets.UTF_8)))
                .isEmpty();
        assertThat(CanonicalJson.of(("[\"" + "\\n".repeat(1_000_000) + "\"]").getBytes(StandardCharsets.UTF_8)))
                .isPresent();
        assertThat(CanonicalJson.of("1".repeat(100_000).getBytes(StandardCharsets.UTF_8)))
                .isEmpty();
    }

    @Test
    void numbersOfManyZerosCostLittleMoreThanTheirDigits() {
        byte[] zeros = ("[" + ("1" + "0".repeat(999) + ",").repeat(1000) + "1]").getBytes(StandardCharsets.UTF_8);
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        assertThat(CanonicalJson.of(zeros)).isPresent();
        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(100L * zeros.length);
    }

    @Test
    void aLargeDocumentIsNotReadOnTheEventLoop() {
        assertThat(send("{\"a\":\"" + "x".repeat(70_000) + "\"}").code()).isEqualTo(200);
        assertThat(callers.onEventLoop).isFalse();
    }

    /** Is asked on the thread that has read the request. */
    @Singleton
    @Requires(property = "test.canonical")
    static class NotedThreads implements CallerResolver {
        volatile boolean onEventLoop;

        @Override
        public String currentCaller() {
            onEventLoop = Thread.currentThread() instanceof NonBlocking;
            return "anyone";
        }
    }

    @Test
    void onlyJsonIsReadAndItsTypeCountsWithoutWhatChangesNothing() {
        byte[] one = "{\"a\":1}".getBytes(StandardCharsets.UTF_8);
        byte[] two = "{ \"a\":1}".getBytes(StandardCharsets.UTF_8);
        HttpResponse<byte[]> first = send("/json", one, "application/json");
        areOneRequest(first, send("/json", two, "application/json; charset=UTF-8"));
        areTwoRequests(first, send("/json", two, "application/merge-patch+json"));
        areTwoRequests(first, send("/json", two, "application/json; charset=utf-16"));
        areTwoRequests(first, send("/json", two, "text/plain"));
    }

    @Test
    void otherRoutesCountBytes() {
        HttpResponse<byte[]> first = send("/bytes", "{\"a\":1}".getBytes(StandardCharsets.UTF_8), "application/json");
        areTwoRequests(first, send("/bytes", "{ \"a\":1}".getBytes(StandardCharsets.UTF_8), "application/json"));
    }
}
