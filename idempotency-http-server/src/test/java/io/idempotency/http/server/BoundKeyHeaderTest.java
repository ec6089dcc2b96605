package io.idempotency.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.IdempotencyKey;
import io.idempotency.IdempotentOperation;
import io.micronaut.context.annotation.Property;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Header;
import io.micronaut.http.annotation.Post;
import io.micronaut.runtime.server.EmbeddedServer;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import jakarta.inject.Inject;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The header of the key is read by the same rules where the route takes it as a parameter. */
@Tag("thorough")
@MicronautTest
@Property(name = "test.bound-key", value = "true")
class BoundKeyHeaderTest {

    @Inject
    EmbeddedServer server;

    @Inject
    Payments payments;

    private final String key = UUID.randomUUID().toString();

    interface Api {
        @Post("/by-interface")
        @IdempotentOperation("bound-key-by-interface")
        String byInterface(@IdempotencyKey @Header("Idempotency-Key") String key, @Body String body);
    }

    @Controller("/bound-key")
    @Requires(property = "test.bound-key")
    static class Payments implements Api {
        final AtomicInteger bodies = new AtomicInteger();

        @Post("/named")
        @IdempotentOperation("bound-key-named")
        String named(@IdempotencyKey @Header("Idempotency-Key") String key, @Body String body) {
            return "run " + bodies.incrementAndGet();
        }

        @Post("/by-path")
        @IdempotentOperation(value = "bound-key-by-path", key = "idempotencyKey")
        String byPath(@Header String idempotencyKey, @Body String body) {
            return "run " + bodies.incrementAndGet();
        }

        @Post("/optional")
        @IdempotentOperation("bound-key-optional")
        String optional(@IdempotencyKey @Header("Idempotency-Key") Optional<String> key, @Body String body) {
            return "run " + bodies.incrementAndGet();
        }

        @Post("/optional-by-path")
        @IdempotentOperation(value = "bound-key-optional-by-path", key = "idempotencyKey")
        String optionalByPath(@Header Optional<String> idempotencyKey, @Body String body) {
            return "run " + bodies.incrementAndGet();
        }

        /** Its key is the request's, and the parameter is compared. */
        @Post("/beside")
        @IdempotentOperation("bound-key-beside")
        String beside(@Header("Idempotency-Key") Optional<String> key, @Body String body) {
            return "run " + bodies.incrementAndGet();
        }

        @Override
        public String byInterface(String named, String content) {
            return "run " + bodies.incrementAndGet();
        }

        @Post("/of-parts")
        @IdempotentOperation("bound-key-of-parts")
        String ofParts(@IdempotencyKey @Header("Idempotency-Key") String key, @IdempotencyKey @Body String body) {
            return "run " + bodies.incrementAndGet();
        }

        @Post("/another")
        @IdempotentOperation("bound-key-another")
        String another(@IdempotencyKey @Header("X-Order") String order, @Body String body) {
            return named("of " + order, body);
        }
    }

    @BeforeEach
    void nothingRan() {
        payments.bodies.set(0);
    }

    private String post(String path, String... headers) throws IOException {
        try (Socket socket = new Socket("127.0.0.1", server.getPort())) {
            String head = "POST /bound-key/" + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
                    + "Content-Type: application/json\r\nContent-Length: 2\r\n" + String.join("\r\n", headers);
            socket.getOutputStream().write((head + "\r\n\r\n{}").getBytes(StandardCharsets.ISO_8859_1));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"named", "by-path", "by-interface", "of-parts", "optional", "optional-by-path", "beside"})
    void quotedAndBareAreOneKey(String path) throws IOException {
        post(path, "Idempotency-Key: " + key);
        assertThat(post(path, "idempotency-key: \"" + key + "\"")).contains("Idempotent-Replayed: true");
        assertThat(payments.bodies).hasValue(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"named", "optional"})
    void twoLinesAreRefused(String path) throws IOException {
        assertThat(post(path, "Idempotency-Key: " + key, "Idempotency-Key: other"))
                .contains("key-invalid");
        assertThat(post(path, "Idempotency-Key: other", "Idempotency-Key: " + key))
                .contains("key-invalid");
        assertThat(payments.bodies).hasValue(0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a, b", "a;b=1", "\"open", "k\u00e4y"})
    void whatIsMalformedIsRefused(String malformed) throws IOException {
        assertThat(post("named", "Idempotency-Key: " + malformed)).contains("key-invalid");
        assertThat(post("optional", "Idempotency-Key: " + malformed)).contains("key-invalid");
        assertThat(payments.bodies).hasValue(0);
    }

    @Test
    void anEmptyOptionalIsNoKey() throws IOException {
        assertThat(post("optional")).contains("key-missing");
        assertThat(payments.bodies).hasValue(0);
    }

    /** Its texts mean what the application wants, also beside a key of the client. */
    @Test
    void aParameterOfAnotherHeaderIsTakenAsItIs() throws IOException {
        post("another", "X-Order: 1;2", "Idempotency-Key: " + key);
        post("another", "X-Order: \"1;2\"", "Idempotency-Key: " + key);
        assertThat(payments.bodies).hasValue(2);
    }
}
