package io.idempotency.runtime.http;

import io.idempotency.runtime.failure.KnownFailures;
import io.micronaut.http.client.exceptions.HttpClientException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.UnknownHostException;
import java.nio.channels.UnresolvedAddressException;
import java.util.List;
import javax.net.ssl.SSLHandshakeException;

/** Recognises failures of Micronaut's HTTP client to make a connection: the request was never sent. */
public final class UnsentRequests {

    private static final List<Class<? extends Throwable>> NO_CONNECTION = List.of(
            ConnectException.class,
            NoRouteToHostException.class,
            BindException.class,
            UnknownHostException.class,
            UnresolvedAddressException.class);

    private UnsentRequests() {}

    /** Tells whether a failure of the client proves that nothing was sent, because no connection was made. */
    public static boolean isUnsent(Throwable failure) {
        Throwable cause = failure.getCause();
        if (failure.getClass() != HttpClientException.class || cause == null) {
            return false;
        }
        return NO_CONNECTION.stream().anyMatch(type -> type.isInstance(cause))
                || cause instanceof SSLHandshakeException && KnownFailures.isUntrusted(cause);
    }
}
