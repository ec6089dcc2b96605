package io.idempotency.http.client;

import io.idempotency.IdempotencyException.Retry;
import io.idempotency.runtime.codec.SingleUseTypes;
import io.micronaut.core.io.buffer.ReferenceCounted;
import io.micronaut.core.type.Argument;
import io.micronaut.http.HttpRequest;
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
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/** Decides which outcomes are worth another attempt, and when. Jitter is the random part of a delay, 0 to 1. */
record RetryPolicy(
        RemoteRefusals refusals, int retries, Duration delay, Duration maxDelay, double multiplier, double jitter) {

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
     * longest delay.
     */
    Optional<Duration> delay(@Nullable Throwable failure, int sent) {
        if (sent > retries || !mayPass(failure)) {
            return Optional.empty();
        }
        double millis = Math.min(delay.toMillis() * Math.pow(multiplier, sent - 1.0), maxDelay.toMillis());
        Duration own = Duration.ofMillis(Math.round(millis * (1 - jitter * chance())));
        Duration asked = failure instanceof HttpClientResponseException refused
                ? RemoteRefusals.retryAfter(refused.getResponse().getHeaders()).orElse(Duration.ZERO)
                : Duration.ZERO;
        Duration later = asked.plusMillis(Math.round(delay.toMillis() * jitter * chance()));
        return asked.compareTo(maxDelay) > 0 ? Optional.empty() : Optional.of(own.compareTo(later) > 0 ? own : later);
    }

    /** Tells whether another attempt may end otherwise: the request or its answer was lost, or the refusal may pass. */
    boolean mayPass(@Nullable Throwable failure) {
        if (failure instanceof HttpClientResponseException refused) {
            return refused.code() >= HttpStatus.BAD_REQUEST.getCode()
                    && !RemoteRefusals.isRecorded(refused.getResponse().getHeaders())
                    && refusals.of(refused.getResponse()).retry() == Retry.SAME_KEY;
        }
        return failure instanceof HttpClientException
                && !(failure instanceof NoHostException || failure instanceof ContentLengthExceededException);
    }

    private static double chance() {
        return ThreadLocalRandom.current().nextDouble();
    }
}
