package io.idempotency.integration.failures;

import io.idempotency.IdempotentOperation;
import io.idempotency.NotFingerprinted;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.client.annotation.Client;
import io.micronaut.retry.annotation.Retryable;
import jakarta.inject.Singleton;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Callable;

/** Bodies that call somebody who cannot be reached. */
final class FailingCalls {

    private FailingCalls() {}

    /** A body that does what the test says. */
    @Singleton
    static class Operation {
        @IdempotentOperation(value = "failing-call", key = "key")
        public String call(String key, @NotFingerprinted Callable<?> body) throws Exception {
            return String.valueOf(body.call());
        }

        @IdempotentOperation(value = "careful-call", key = "key", noEffectFor = ConnectException.class)
        public String careful(String key, @NotFingerprinted Callable<?> body) throws Exception {
            return String.valueOf(body.call());
        }
    }

    /** Nobody listens there. */
    @Client("${test.nobody}")
    interface Nobody {
        @Get("/")
        String ask();
    }

    /** Throws what it is given, attempt by attempt. */
    @Singleton
    static class Repeated {
        @Retryable(attempts = "1", delay = "1ms", capturedException = Exception.class)
        public String twice(Iterator<Exception> failures) throws Exception {
            throw failures.next();
        }
    }

    /** What a request that was lost and one that was not sent look like. */
    static Iterator<Exception> lostThenUnsent() {
        return List.<Exception>of(new SocketTimeoutException(), new ConnectException())
                .iterator();
    }

    static Iterator<Exception> unsentTwice() {
        return List.<Exception>of(new UnknownHostException(), new ConnectException())
                .iterator();
    }
}
