package io.idempotency.runtime.failure;

import io.idempotency.runtime.Effect;
import java.security.cert.CertificateException;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Knows what exceptions of the platform and of well-known clients say about the body's effect. Looks up class names,
 * since most classes need not be on the class path; the nearest superclass counts, and never a message. An exception
 * which proves that one call sent nothing is only final: the body may have had effects before.
 */
public final class KnownFailures {

    private static final String CUT_OFF = "The body was cut off from what it had started.";
    private static final String UNSENT = "Nothing was sent.";
    private static final String LOST = "The request or its answer was lost.";

    /** In the order of the documented table. */
    private static final Map<String, Row> ROWS = new LinkedHashMap<>();

    /** SQLSTATEs of a connection that was not made, or that the server refused: a server that starts answers 57P03. */
    private static final List<String> UNSENT_STATES = List.of("08001", "08004", "57P03");

    /**
     * Prefixes of SQLSTATEs, for drivers that throw plain SQLExceptions: connection lost (class 08), completion unknown
     * (40003), cancelled by a time-out (57014), connection ended by the server (57P, without {@link #UNSENT_STATES}).
     */
    private static final List<String> CUT_OFF_STATES = List.of("08", "40003", "57014", "57P");

    private static final String HTTP_CLIENT = "io.micronaut.http.client.exceptions.HttpClientException";
    private static final String HANDSHAKE = "javax.net.ssl.SSLHandshakeException";
    private static final String POOL = "com.zaxxer.hikari.pool.HikariPool";
    private static final int MAX_CAUSES = 20;

    private KnownFailures() {}

    /**
     * The meaning of an exception's class.
     *
     * @param effect what the exception says about the effect
     * @param unsent whether it says so because nothing was sent
     * @param why the reason, for the documentation
     */
    public record Row(Effect effect, boolean unsent, String why) {}

    static {
        unknown(CUT_OFF, "java.lang.Error", "java.lang.InterruptedException");
        unknown(CUT_OFF, "java.util.concurrent.CancellationException", "java.util.concurrent.TimeoutException");
        unknown(CUT_OFF, "java.io.IOException");

        unsent("The connection was refused, or not made in time; also Netty's.", "java.net.ConnectException");
        unsent("There is no way to the host.", "java.net.NoRouteToHostException");
        unsent("There was no local address to connect from.", "java.net.BindException");
        unsent(
                "The host has no address.",
                "java.net.UnknownHostException",
                "java.nio.channels.UnresolvedAddressException");
        unsent("The connection was not made in time.", "java.net.http.HttpConnectTimeoutException");

        own("java.io.FileNotFoundException", "java.nio.file.FileSystemException");
        own("java.net.MalformedURLException", "java.net.URISyntaxException");
        own("java.nio.charset.CharacterCodingException", "java.io.UnsupportedEncodingException");
        own("java.io.UTFDataFormatException", "java.io.ObjectStreamException", "java.util.zip.ZipException");
        own("com.fasterxml.jackson.core.JacksonException", "io.micronaut.json.JsonSyntaxException");
        own("io.micronaut.serde.exceptions.SerdeException");
        unknown(
                "The text ended too early: its sender may have been cut off.",
                "com.fasterxml.jackson.core.io.JsonEOFException");

        unknown(LOST, "java.sql.SQLNonTransientConnectionException", "java.sql.SQLTransientConnectionException");
        unknown(LOST, "java.sql.SQLRecoverableException", "java.sql.SQLTimeoutException");
        unsent(
                "The pool gave no connection.",
                "io.micronaut.data.connection.jdbc.exceptions.CannotGetJdbcConnectionException");
        unsent(
                "The transaction did not begin.",
                "io.micronaut.transaction.exceptions.CannotCreateTransactionException");

        unsent("The request names no host.", "io.micronaut.http.client.exceptions.NoHostException");
        unsent("No instance of the service is known.", "io.micronaut.discovery.exceptions.NoAvailableServiceException");
        unsent(
                "The circuit breaker was open.",
                "io.micronaut.retry.exception.CircuitOpenException",
                "io.github.resilience4j.circuitbreaker.CallNotPermittedException");
        unsent("The bulkhead was full.", "io.github.resilience4j.bulkhead.BulkheadFullException");
        unsent("The rate limiter permitted no call.", "io.github.resilience4j.ratelimiter.RequestNotPermitted");

        unknown(LOST, "io.lettuce.core.RedisException");
        unsent("The connection was not made.", "io.lettuce.core.RedisConnectionException");
        unsent("No node is known for the key.", "io.lettuce.core.cluster.PartitionException");
        add(Effect.FINAL, false, "Redis answered with an error.", "io.lettuce.core.RedisCommandExecutionException");

        unknown(LOST, "org.apache.kafka.common.errors.RetriableException");
        unknown(LOST, "org.apache.kafka.common.errors.UnknownServerException");
        unknown(LOST, "org.apache.kafka.common.errors.OutOfOrderSequenceException");
        unknown(CUT_OFF, "org.apache.kafka.common.errors.InterruptException");
        unsent(
                "The producer had no memory for the record.",
                "org.apache.kafka.clients.producer.BufferExhaustedException");
        unknown(LOST, "com.rabbitmq.client.ShutdownSignalException");
        unsent("The channel was closed before.", "com.rabbitmq.client.AlreadyClosedException");
        unsent(
                "The connection was not made.",
                "com.rabbitmq.client.PossibleAuthenticationFailureException",
                "com.rabbitmq.client.ProtocolVersionMismatchException");
    }

    private static void unknown(String why, String... types) {
        add(Effect.UNKNOWN, false, why, types);
    }

    private static void unsent(String why, String... types) {
        add(Effect.FINAL, true, why + " " + UNSENT, types);
    }

    private static void own(String... types) {
        add(Effect.FINAL, false, "It happened inside this JVM.", types);
    }

    private static void add(Effect effect, boolean unsent, String why, String... types) {
        Stream.of(types).forEach(type -> ROWS.put(type, new Row(effect, unsent, why)));
    }

    static Map<String, Row> rows() {
        return Collections.unmodifiableMap(ROWS);
    }

    /** Returns what is known of an exception, without its causes; null for nothing. */
    public static @Nullable Row of(Throwable failure) {
        if (failure instanceof SQLException sql) {
            Row row = of(sql);
            if (row != null) {
                return row;
            }
        }
        return failure.getClass().getName().equals(HANDSHAKE) && isUntrusted(failure)
                ? new Row(Effect.FINAL, true, "The server's certificate was not trusted. " + UNSENT)
                : nearest(failure.getClass());
    }

    /** Returns what is known of the outermost known one among an exception and its causes; null for nothing. */
    public static @Nullable Row first(Throwable failure) {
        Throwable cause = failure;
        for (int depth = 0; cause != null && depth < MAX_CAUSES; cause = cause.getCause(), depth++) {
            Row row = of(cause);
            if (row != null) {
                return row;
            }
        }
        return null;
    }

    private static @Nullable Row nearest(Class<?> of) {
        for (Class<?> type = of; type != null; type = type.getSuperclass()) {
            Row row = ROWS.get(type.getName());
            if (row != null) {
                return row;
            }
        }
        return null;
    }

    /** Tells whether an exception only wraps the failure of one client call, so that its cause counts. */
    public static boolean isWrapping(Throwable failure) {
        return failure.getClass().getName().equals(HTTP_CLIENT);
    }

    /** Tells whether a class means a cut-off, which the declaration of a supertype does not cover. */
    public static boolean isCutOff(Class<?> type) {
        Row row = ROWS.get(type.getName());
        return row != null && row.effect() == Effect.UNKNOWN;
    }

    private static @Nullable Row of(SQLException failure) {
        String state = failure.getSQLState();
        if (state != null && UNSENT_STATES.contains(state)) {
            return new Row(Effect.FINAL, true, "The connection was not made. " + UNSENT);
        } else if (failure instanceof SQLTransientConnectionException && isThrownByPool(failure)) {
            return new Row(Effect.FINAL, true, "The pool gave no connection. " + UNSENT);
        }
        return state != null && CUT_OFF_STATES.stream().anyMatch(state::startsWith)
                ? new Row(Effect.UNKNOWN, false, LOST)
                : null;
    }

    /** Tells whether HikariCP made the exception, since drivers use the same type. */
    private static boolean isThrownByPool(Throwable failure) {
        StackTraceElement[] made = failure.getStackTrace();
        return made.length > 0 && made[0].getClassName().equals(POOL);
    }

    /** Tells whether a handshake failed because the server's certificate was not trusted, before anything was sent. */
    public static boolean isUntrusted(Throwable handshake) { // with TLS 1.3 other refusals may follow the request
        return Stream.iterate(handshake.getCause(), Objects::nonNull, Throwable::getCause)
                .limit(MAX_CAUSES)
                .anyMatch(CertificateException.class::isInstance);
    }
}
