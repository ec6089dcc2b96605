package io.idempotency.http.client;

import io.idempotency.IdempotencyException.Retry;
import io.idempotency.runtime.codec.SingleUseTypes;
import io.micronaut.core.io.buffer.ReferenceCounted;
import io.micronaut.core.type.Argument;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
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

/** Decides which outcomes are worth another attempt, and when. Jitter is the random part of a delay, 0 to 1. */
record RetryPolicy(
        RemoteRefusals refusals, int retries, Duration delay, Duration maxDelay, double multiplier, double jitter) {

    /** Request Timeout, Too Early, Too Many Requests: the server did not work on the request. */
    private static final Set<Integer> SENT_AGAIN = Set.of(408, 425, 429);

    /** Types of values that can be read only once. */
    private static final List<Class<?>> ONCE =
            List.of(ReferenceCounted.class, MultipartBody.class, MultipartBody.Builder.class);

    /** Returns the policy for a call with these arguments: no retries if one can be read only once. */
    RetryPolicy with(@Nullable Object[] arguments) {
        boolean once = Arrays.stream(arguments)
                .map(argument -> argument instanceof HttpRequest<?> request
                        ? request.getBody().orElse(null)
                        : argument)
                .filter(Objects::nonNull)
                .anyMatch(argument -> SingleUseTypes.isType(argument.getClass())
                        || Argument.of(argument.getClass()).isReactive()
                        || ONCE.stream().anyMatch(type -> type.isInstance(argument)));
        return once ? new RetryPolicy(refusals, 0, delay, maxDelay, multiplier, jitter) : this;
    }

    /**
     * Returns the delay after an attempt; empty when no attempt follows, or when the server asks for more than the
     * longest delay. Some clients return an error response rather than throw it.
     */
    Optional<Duration> delay(@Nullable Object answer, @Nullable Throwable failure, int sent) {
        Object outcome = failure instanceof HttpClientResponseException refused ? refused.getResponse() : answer;
        HttpResponse<?> response = outcome instanceof HttpResponse<?> given ? given : null;
        if (sent > retries || !(response == null ? isLost(failure) : isWorthIt(response))) {
            return Optional.empty();
        }
        double millis = Math.min(delay.toMillis() * Math.pow(multiplier, sent - 1.0), maxDelay.toMillis());
        Duration own = Duration.ofMillis(Math.round(millis * (1 - jitter * chance())));
        Optional<Duration> asked =
                response == null ? Optional.empty() : RemoteRefusals.retryAfter(response.getHeaders());
        if (asked.isEmpty()) {
            return Optional.of(own);
        }
        return asked.filter(span -> span.compareTo(maxDelay) <= 0)
                .map(span -> span.plusMillis(Math.round(delay.toMillis() * jitter * chance())))
                .map(span -> span.compareTo(own) < 0 ? own : span);
    }

    /** Tells whether the request or its answer was lost, and not refused by this client. */
    private static boolean isLost(@Nullable Throwable failure) {
        return failure instanceof HttpClientException
                && !(failure instanceof NoHostException || failure instanceof ContentLengthExceededException);
    }

    /** Tells whether to send the request again. For a refusal of the profile, its status does not count. */
    private boolean isWorthIt(HttpResponse<?> answer) {
        HttpHeaders headers = answer.getHeaders();
        boolean recorded = RemoteRefusals.isReplayed(headers) || RemoteRefusals.leftKey(headers, "settled");
        return !recorded
                && !RemoteRefusals.ranUnprotected(headers)
                && answer.code() >= HttpStatus.BAD_REQUEST.getCode()
                && refusals.of(answer)
                        .map(problem -> problem.retry() == Retry.SAME_KEY)
                        .orElseGet(() -> isTransient(answer));
    }

    /** Applies to servers that do not speak the profile. A conflict is transient only if it says so. */
    private boolean isTransient(HttpResponse<?> answer) {
        return answer.code() >= HttpStatus.INTERNAL_SERVER_ERROR.getCode()
                || SENT_AGAIN.contains(answer.code())
                || refusals.saysInProgress(answer);
    }

    private static double chance() {
        return ThreadLocalRandom.current().nextDouble();
    }
}
