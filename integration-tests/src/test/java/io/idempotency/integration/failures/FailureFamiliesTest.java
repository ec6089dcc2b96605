package io.idempotency.integration.failures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.PossibleAuthenticationFailureException;
import com.rabbitmq.client.ShutdownSignalException;
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.idempotency.OutcomeUnknownException;
import io.idempotency.PreviousAttemptFailedException;
import io.idempotency.test.servers.FreePort;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisException;
import io.micronaut.http.client.exceptions.HttpClientException;
import io.micronaut.http.client.exceptions.NoHostException;
import io.micronaut.http.client.exceptions.ReadTimeoutException;
import io.micronaut.json.JsonMapper;
import io.micronaut.retry.exception.CircuitOpenException;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import io.micronaut.test.support.TestPropertyProvider;
import jakarta.inject.Inject;
import java.io.EOFException;
import java.io.FileInputStream;
import java.io.IOException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.URL;
import java.net.UnknownHostException;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.UnresolvedAddressException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTimeoutException;
import java.sql.SQLTransientConnectionException;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import javax.net.ssl.SSLHandshakeException;
import org.apache.kafka.clients.producer.BufferExhaustedException;
import org.apache.kafka.common.errors.DisconnectException;
import org.apache.kafka.common.errors.NotEnoughReplicasAfterAppendException;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.errors.UnknownServerException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What each family of exceptions leaves behind: a failure that is known, or doubt that an operator has to end. Made by the real client
 * where that is possible without a server, and by its own class otherwise.
 */
@MicronautTest(startApplication = false)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FailureFamiliesTest implements TestPropertyProvider {

    private static final String NOBODY = "127.0.0.1:" + FreePort.next();

    @Inject
    FailingCalls.Operation operation;

    @Inject
    FailingCalls.Nobody nobody;

    @Inject
    FailingCalls.Repeated repeated;

    @Inject
    JsonMapper json;

    private final String key = UUID.randomUUID().toString();

    @Override
    public Map<String, String> getProperties() {
        return Map.of(
                "idempotency.store", "memory",
                "datasources.default.url", "jdbc:h2:mem:failures",
                "redis.enabled", "false",
                "test.nobody", "http://" + NOBODY);
    }

    private static Arguments real(String name, Callable<?> call) {
        return arguments(name, call);
    }

    private static Arguments made(Exception failure) {
        return arguments(failure.getClass().getName(), (Callable<?>) () -> {
            throw failure;
        });
    }

    Stream<Arguments> known() {
        return Stream.of(
                real("JDK's HTTP client: refused", FailureFamiliesTest::askedByTheJdk),
                made(new HttpConnectTimeoutException("late")),
                made(new UnknownHostException("nosuch.invalid")),
                made(new UnresolvedAddressException()),
                made(handshake(new CertificateException("not trusted"))),
                real("Micronaut's HTTP client: refused", () -> nobody.ask()),
                made(new HttpClientException("Connect Error", new UnknownHostException("nosuch.invalid"))),
                made(new HttpClientException("Connect Error", handshake(new CertificateException("not trusted")))),
                made(new NoHostException("no host")),
                made(new CircuitOpenException("Circuit Open", new SocketTimeoutException("of another call"))),
                real("Resilience4j's open circuit breaker", FailureFamiliesTest::open),
                real("PostgreSQL: refused", () -> DriverManager.getConnection("jdbc:postgresql://" + NOBODY + "/x")),
                real("HikariCP: no connection", FailureFamiliesTest::exhausted),
                real(
                        "Lettuce: refused",
                        () -> RedisClient.create("redis://" + NOBODY).connect()),
                made(new RedisCommandExecutionException("WRONGTYPE")),
                made(new BufferExhaustedException("full")),
                made(new SerializationException("not text")),
                real("RabbitMQ: refused", FailureFamiliesTest::publish),
                made(new PossibleAuthenticationFailureException("guest")),
                made(new AlreadyClosedException(closed())),
                real("no such file", () -> new FileInputStream("/nosuch/file")),
                real("no such path", () -> Files.readString(Path.of("/nosuch/file"))),
                real("no URL", () -> new URL("nosuch://x")),
                real("no URI", () -> new URI("a b")),
                real("no UTF-8", () -> StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(new byte[] {-1}))),
                real("no JSON for Micronaut", () -> json.readValue("{\"a\":]", Map.class)),
                real("no JSON for Jackson", () -> parsed("{\"a\":]")));
    }

    Stream<Arguments> inDoubt() {
        return Stream.of(
                made(new SocketException("Connection reset")),
                made(new SocketTimeoutException("Read timed out")),
                made(new HttpTimeoutException("request timed out")),
                made(new EOFException()),
                made(handshake(null)),
                made(ReadTimeoutException.TIMEOUT_EXCEPTION),
                made(new HttpClientException("Error occurred reading HTTP response", new IOException("reset"))),
                made(new HttpClientException("closed")),
                made(new SQLTransientConnectionException("a driver's own")),
                made(new SQLRecoverableException("reset")),
                made(new SQLTimeoutException("slow")),
                made(new SQLException("connection lost", "08006")),
                made(new RedisException("Connection closed")),
                made(new RedisCommandTimeoutException("slow")),
                made(new org.apache.kafka.common.errors.TimeoutException("expired")),
                made(new DisconnectException()),
                made(new NotEnoughReplicasAfterAppendException("appended")),
                made(new UnknownServerException("?")),
                made(closed()),
                real("cut off JSON", () -> parsed("{\"a\":")),
                real("lost, then not sent", () -> repeated.twice(FailingCalls.lostThenUnsent())));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("known")
    void whatProvesThatNothingWasSentOrHappenedInThisJvmIsNoDoubt(String name, Callable<?> call) {
        assertThat(second(call)).isInstanceOf(PreviousAttemptFailedException.class);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("inDoubt")
    void whatMayHaveBeenSentStaysInDoubt(String name, Callable<?> call) {
        assertThat(second(call)).isInstanceOf(OutcomeUnknownException.class);
    }

    /** The body says that its only call is this one. */
    @Test
    void aDeclaredConnectionFailureFreesTheKeyAlsoBehindTheHttpClientsOwnException() {
        assertThat(catchThrowable(() -> operation.careful(key, () -> nobody.ask())))
                .isInstanceOf(HttpClientException.class);
        assertThat(catchThrowable(() -> operation.careful(key, FailureFamiliesTest::askedByTheJdk)))
                .isInstanceOf(IOException.class);
        assertThat(catchThrowable(() -> operation.careful(key, () -> repeated.twice(FailingCalls.unsentTwice()))))
                .isInstanceOf(IOException.class);
        assertThat(catchThrowable(() -> operation.careful(key, () -> repeated.twice(FailingCalls.lostThenUnsent()))))
                .isInstanceOf(IOException.class);
        assertThat(catchThrowable(() -> operation.careful(key, () -> "second")))
                .isInstanceOf(OutcomeUnknownException.class);
    }

    @Test
    void ofAttemptsThatAllSentNothingNothingIsHidden() {
        assertThat(second(() -> repeated.twice(FailingCalls.unsentTwice())))
                .isInstanceOf(PreviousAttemptFailedException.class);
    }

    private Throwable second(Callable<?> call) {
        String own = UUID.randomUUID().toString();
        Throwable first = catchThrowable(() -> operation.call(own, call));
        assertThat(first).as("the body's own exception").isNotNull();
        return catchThrowable(() -> operation.call(own, () -> "second"));
    }

    private static SSLHandshakeException handshake(Throwable cause) {
        SSLHandshakeException failure = new SSLHandshakeException("handshake");
        failure.initCause(cause);
        return failure;
    }

    private static ShutdownSignalException closed() {
        return new ShutdownSignalException(true, false, null, null);
    }

    private static String askedByTheJdk() throws Exception {
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create("http://" + NOBODY)).build(),
                        HttpResponse.BodyHandlers.ofString())
                .body();
    }

    private static String open() {
        CircuitBreaker breaker = CircuitBreaker.ofDefaults("x");
        breaker.transitionToOpenState();
        return breaker.executeSupplier(() -> "not called");
    }

    private static Connection exhausted() throws SQLException {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl("jdbc:h2:mem:exhausted");
        config.setMaximumPoolSize(1);
        config.setConnectionTimeout(250);
        try (HikariDataSource pool = new HikariDataSource(config);
                Connection only = pool.getConnection()) {
            assertThat(only).isNotNull();
            return pool.getConnection();
        }
    }

    private static String publish() throws Exception {
        ConnectionFactory factory = new ConnectionFactory();
        factory.setUri("amqp://" + NOBODY);
        return factory.newConnection().toString();
    }

    private static String parsed(String text) throws IOException {
        try (JsonParser parser = new JsonFactory().createParser(text)) {
            while (parser.nextToken() != null) {
                // to the end
            }
        }
        return text;
    }
}
