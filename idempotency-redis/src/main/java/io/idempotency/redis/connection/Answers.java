package io.idempotency.redis.connection;

import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisException;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Waits for what Redis answers. */
public final class Answers {

    private Answers() {}

    /**
     * Waits for an answer. An interruption does not end the wait, because the command is on its way already: the thread is
     * interrupted again afterwards.
     *
     * @param answer what the driver promised
     * @param timeout how long it may take
     * @return the answer; throws what the driver failed with, or {@link RedisCommandTimeoutException}
     */
    public static <T> T await(Future<T> answer, Duration timeout) {
        try {
            return uninterrupted(timeout, nanos -> answer.get(nanos, TimeUnit.NANOSECONDS));
        } catch (TimeoutException e) {
            answer.cancel(false);
            throw new RedisCommandTimeoutException("Redis did not answer within " + timeout);
        } catch (ExecutionException e) {
            throw unchecked(e);
        }
    }

    /**
     * Takes one of a few places, in the same way.
     *
     * @return whether one was free in time
     */
    public static boolean take(Semaphore places, Duration timeout) {
        try {
            return uninterrupted(timeout, nanos -> places.tryAcquire(nanos, TimeUnit.NANOSECONDS));
        } catch (TimeoutException | ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    private interface Wait<T> {
        T of(long nanos) throws InterruptedException, ExecutionException, TimeoutException;
    }

    private static <T> T uninterrupted(Duration timeout, Wait<T> wait) throws ExecutionException, TimeoutException {
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

    private static RuntimeException unchecked(ExecutionException failure) {
        if (failure.getCause() instanceof Error error) {
            throw error;
        }
        return failure.getCause() instanceof RuntimeException known ? known : new RedisException(failure);
    }
}
