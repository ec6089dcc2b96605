package io.idempotency.redis;

import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisException;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Waits for the answers of Redis. */
final class Answers {

    private Answers() {}

    interface Wait<T> {
        T of(long nanos) throws InterruptedException, TimeoutException;
    }

    /** Returns the answer, or throws the driver's failure or {@link RedisCommandTimeoutException}. */
    static <T> T await(Future<T> answer, Duration timeout) {
        try {
            return uninterrupted(timeout, nanos -> get(answer, nanos));
        } catch (TimeoutException e) {
            answer.cancel(false);
            throw late(timeout);
        }
    }

    static RedisCommandTimeoutException late(Duration timeout) {
        return new RedisCommandTimeoutException("Redis did not answer within " + timeout);
    }

    private static <T> T get(Future<T> answer, long nanos) throws InterruptedException, TimeoutException {
        try {
            return answer.get(nanos, TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException known ? known : new RedisException(e);
        }
    }

    /** Waits on after an interrupt, because the command was sent already; interrupts the thread again afterwards. */
    static <T> T uninterrupted(Duration timeout, Wait<T> wait) throws TimeoutException {
        long deadline = System.nanoTime() + timeout.toNanos();
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return wait.of(deadline - System.nanoTime());
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
