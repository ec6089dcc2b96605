package io.idempotency.http.client;

import io.idempotency.IdempotencyException.Retry;
import io.idempotency.runtime.codec.SingleUseTypes;
import io.idempotency.runtime.http.IdempotencyHeaders;
import io.micronaut.core.io.buffer.ReferenceCounted;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.client.exceptions.ContentLengthExceededException;
import io.micronaut.http.client.exceptions.HttpClientException;
import io.micronaut.http.client.exceptions.HttpClientResponseException;
import io.micronaut.http.client.exceptions.NoHostException;
import io.micronaut.http.client.multipart.MultipartBody;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;

/**
 * Decides which outcomes are worth another attempt, and when it is made.
 *
 * @param refusals reads them
 * @param retries the largest number of further attempts
 * @param delay before the first of them
 * @param maxDelay the longest delay, also where the server asks for one
 * @param multiplier from one delay to the next
 * @param jitter the random part of a delay, 0 to 1
 */
record RetryPolicy(
        RemoteRefusals refusals, int retries, Duration delay, Duration maxDelay, double multiplier, double jitter) {

    private static final int FIRST_SERVER_ERROR = 500;

    /** Request Timeout, Too Early, Too Many Requests: the server did not work on the request. */
    private static final Set<Integer> SENT_AGAIN = Set.of(408, 425, 429);

    /** Values that can be read once only. */
    private static final List<Class<?>> ONCE =
            List.of(Publisher.class, ReferenceCounted.class, MultipartBody.class, MultipartBody.Builder.class);

    /** Whether a request with these arguments can be sent a second time. */
    static boolean canSendAgain(@Nullable Object[] arguments) {
        return Arrays.stream(arguments)
                .filter(Objects::nonNull)
                .noneMatch(argument ->
                        SingleUseTypes.is(argument) || ONCE.stream().anyMatch(type -> type.isInstance(argument)));
    }

    RetryPolicy withoutRetries() {
        return new RetryPolicy(refusals, 0, delay, maxDelay, multiplier, jitter);
    }

    /**
     * The delay after a failed attempt.
     *
     * @param sent the number of attempts so far
     * @return empty when there is no other attempt
     */
    Optional<Duration> afterFailure(Throwable failure, int sent) {
        if (failure instanceof HttpClientResponseException answered) {
            return afterAnswer(answered.getResponse(), sent);
        }
        return sent <= retries && isLost(failure) ? Optional.of(growing(sent)) : Optional.empty();
    }

    /** Whether the request or its answer was lost: it was not where there is no address, or the answer is too large. */
    private static boolean isLost(Throwable failure) {
        return failure instanceof HttpClientException
                && !(failure instanceof NoHostException || failure instanceof ContentLengthExceededException);
    }

    /** The delay after an answer, which some clients return rather than throw. A server's wish beyond the longest delay ends the call. */
    Optional<Duration> afterAnswer(HttpResponse<?> answer, int sent) {
        if (sent > retries || !isWorthIt(answer)) {
            return Optional.empty();
        }
        Duration own = growing(sent);
        Optional<Duration> asked = RemoteRefusals.retryAfter(answer.getHeaders());
        if (asked.isEmpty()) {
            return Optional.of(own);
        }
        return asked.filter(span -> span.compareTo(maxDelay) <= 0)
                .map(span -> span.plusMillis(Math.round(delay.toMillis() * jitter * chance())))
                .map(span -> span.compareTo(own) < 0 ? own : span);
    }

    /** Another attempt would be answered with a recorded answer again. Of a refusal its own words count, whatever its status is. */
    private boolean isWorthIt(HttpResponse<?> answer) {
        boolean recorded = answer.getHeaders().contains(IdempotencyHeaders.IDEMPOTENT_REPLAYED)
                || RemoteRefusals.isSettled(answer.getHeaders());
        return !recorded
                && refusals.of(answer)
                        .map(problem -> problem.retry() == Retry.SAME_KEY)
                        .orElseGet(() -> isTransient(answer));
    }

    /** The rule for servers that do not speak the profile. A conflict may end only where the server says so. */
    private boolean isTransient(HttpResponse<?> answer) {
        int status = answer.code();
        if (status == HttpStatus.CONFLICT.getCode()) {
            return answer.getHeaders().contains(HttpHeaders.RETRY_AFTER) || refusals.saysInProgress(answer);
        }
        return status >= FIRST_SERVER_ERROR || SENT_AGAIN.contains(status);
    }

    private Duration growing(int sent) {
        double millis = Math.min(delay.toMillis() * Math.pow(multiplier, sent - 1.0), maxDelay.toMillis());
        return Duration.ofMillis(Math.round(millis * (1 - jitter * chance())));
    }

    private static double chance() {
        return ThreadLocalRandom.current().nextDouble();
    }
}
