package io.idempotency.jdbc;

import java.time.Duration;

/** When to try again what fails: ever later, until it worked. For one thread at a time. */
final class Retries {

    private static final Duration FIRST = Duration.ofSeconds(1);
    private static final Duration LONGEST = Duration.ofMinutes(1);

    private Duration pause = Duration.ZERO;
    private long failedNanos;

    /** How long to wait before the next attempt; zero when it may begin. */
    Duration due() {
        Duration left = pause.minusNanos(System.nanoTime() - failedNanos);
        return pause.isZero() || left.isNegative() ? Duration.ZERO : left;
    }

    /** How long after a failure the next attempt begins. */
    Duration pause() {
        return pause;
    }

    /** True for the first failure since it worked. */
    boolean failed() {
        boolean news = pause.isZero();
        Duration twice = pause.multipliedBy(2);
        pause = news ? FIRST : twice.compareTo(LONGEST) < 0 ? twice : LONGEST;
        failedNanos = System.nanoTime();
        return news;
    }

    /** True when it had failed before. */
    boolean worked() {
        boolean news = !pause.isZero();
        pause = Duration.ZERO;
        return news;
    }
}
