package io.idempotency.http.client;

import java.time.Duration;

/**
 * How often and how slowly a request is sent again.
 *
 * @param retries how often at most, not counting the first time
 * @param delay before the first retry
 * @param maxDelay before any
 * @param multiplier from one delay to the next
 * @param jitter which part of a delay is left to chance, 0 to 1
 */
record RetryPolicy(int retries, Duration delay, Duration maxDelay, double multiplier, double jitter) {

    /** The same call, made once only. */
    RetryPolicy withoutRetries() {
        return new RetryPolicy(0, delay, maxDelay, multiplier, jitter);
    }

    /**
     * The delay after so many attempts.
     *
     * @param sent how many were made
     * @param chance 0 to 1
     */
    Duration delayAfter(int sent, double chance) {
        double millis = Math.min(delay.toMillis() * Math.pow(multiplier, sent - 1.0), maxDelay.toMillis());
        return Duration.ofMillis(Math.round(millis * (1 - jitter * chance)));
    }
}
