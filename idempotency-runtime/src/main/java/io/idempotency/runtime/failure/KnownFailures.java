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
import java.util.concurrent.CancellationException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Knows what exceptions of the platform and of well-known clients say about the body's effect. Looks up class names,
 * since most classes need not be on the class path; the nearest superclass counts, and never a message. An exception
 * which proves that one call sent nothing is only final: the body may have had effects before.
 */
public final class KnownFailures {

    private static final Row UNKNOWN = new Row(Effect.UNKNOWN, false);
    private static final Row UNSENT = new Row(Effect.FINAL, true);
    private static final Row OWN = new Row(Effect.FINAL, false);

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

    /** The meaning of an exception's class: the effect, and whether it is known because nothing was sent. */
    public record Row(Effect effect, boolean unsent) {}

    /** The library cut the body off: unknown, whatever an application says of its own cancellations. */
    public static final class CutOff extends CancellationException {
        private static final long serialVersionUID = 1L;

        public CutOff(String message) {
            super(message);
        }
    }

    static {
        add(UNKNOWN, "java.lang.Error", "java.lang.InterruptedException");
        add(UNKNOWN, "java.util.concurrent.CancellationException", "java.util.concurrent.TimeoutException");
        add(UNKNOWN, "java.io.IOException");

        add(UNSENT, "java.net.ConnectException", "java.net.NoRouteToHostException", "java.net.BindException");
        add(UNSENT, "java.net.UnknownHostException", "java.nio.channels.UnresolvedAddressException");
        add(UNSENT, "java.net.http.HttpConnectTimeoutException");

        add(OWN, "java.io.FileNotFoundException", "java.nio.file.FileSystemException");
        add(OWN, "java.net.MalformedURLException", "java.net.URISyntaxException");
        add(OWN, "java.nio.charset.CharacterCodingException", "java.io.UnsupportedEncodingException");
        add(OWN, "java.io.UTFDataFormatException", "java.io.ObjectStreamException", "java.util.zip.ZipException");
        add(OWN, "com.fasterxml.jackson.core.JacksonException", "io.micronaut.json.JsonSyntaxException");
        add(OWN, "io.micronaut.serde.exceptions.SerdeException");
        add(UNKNOWN, "com.fasterxml.jackson.core.io.JsonEOFException"); // the text's sender may have been cut off

        add(UNKNOWN, "java.sql.SQLNonTransientConnectionException", "java.sql.SQLTransientConnectionException");
        add(UNKNOWN, "java.sql.SQLRecoverableException", "java.sql.SQLTimeoutException");
        add(UNSENT, "io.micronaut.data.connection.jdbc.exceptions.CannotGetJdbcConnectionException");
        add(UNSENT, "io.micronaut.transaction.exceptions.CannotCreateTransactionException");

        add(UNSENT, "io.micronaut.http.client.exceptions.NoHostException");
        add(UNSENT, "io.micronaut.discovery.exceptions.NoAvailableServiceException");
        add(UNSENT, "io.micronaut.retry.exception.CircuitOpenException");
        add(UNSENT, "io.github.resilience4j.circuitbreaker.CallNotPermittedException");
        add(UNSENT, "io.github.resilience4j.bulkhead.BulkheadFullException");
        add(UNSENT, "io.github.resilience4j.ratelimiter.RequestNotPermitted");

        add(UNKNOWN, "io.lettuce.core.RedisException");
        add(UNSENT, "io.lettuce.core.RedisConnectionException", "io.lettuce.core.cluster.PartitionException");
        add(OWN, "io.lettuce.core.RedisCommandExecutionException"); // Redis answered

        add(UNKNOWN, "org.apache.kafka.common.errors.RetriableException");
        add(UNKNOWN, "org.apache.kafka.common.errors.UnknownServerException");
        add(UNKNOWN, "org.apache.kafka.common.errors.OutOfOrderSequenceException");
        add(UNKNOWN, "org.apache.kafka.common.errors.InterruptException");
        add(UNSENT, "org.apache.kafka.clients.producer.BufferExhaustedException");
        add(UNKNOWN, "com.rabbitmq.client.ShutdownSignalException");
        add(UNSENT, "com.rabbitmq.client.AlreadyClosedException");
        add(UNSENT, "com.rabbitmq.client.PossibleAuthenticationFailureException");
        add(UNSENT, "com.rabbitmq.client.ProtocolVersionMismatchException");
    }

    private static void add(Row row, String... types) {
        Stream.of(types).forEach(type -> ROWS.put(type, row));
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
                ? UNSENT
                : nearest(failure.getClass());
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
        if (state != null && UNSENT_STATES.contains(state)
                || failure instanceof SQLTransientConnectionException && isThrownByPool(failure)) {
            return UNSENT;
        }
        return state != null && CUT_OFF_STATES.stream().anyMatch(state::startsWith) ? UNKNOWN : null;
    }

    /** Tells whether HikariCP made the exception, since drivers use the same type. */
    private static boolean isThrownByPool(Throwable failure) {
        StackTraceElement[] made = failure.getStackTrace();
        return made.length > 0 && made[0].getClassName().equals(POOL);
    }

    /** Tells whether a handshake failed because the server's certificate was not trusted, before anything was sent. */
    private static boolean isUntrusted(Throwable handshake) { // with TLS 1.3 other refusals may follow the request
        return causes(handshake).anyMatch(CertificateException.class::isInstance);
    }

    /** Returns an exception and its causes, the outermost first; at most 20, since causes may form a ring. */
    public static Stream<Throwable> causes(Throwable failure) {
        return Stream.<Throwable>iterate(failure, Objects::nonNull, Throwable::getCause)
                .limit(MAX_CAUSES);
    }
}
