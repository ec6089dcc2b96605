package io.idempotency.http.client;

import io.idempotency.IdempotencyException.Retry;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.client.HttpClient;
import io.micronaut.http.client.exceptions.ContentLengthExceededException;
import io.micronaut.http.client.exceptions.HttpClientException;
import io.micronaut.http.client.exceptions.HttpClientResponseException;
import io.micronaut.http.client.exceptions.NoHostException;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/** Decides which outcomes are worth another attempt, and when. */
@Singleton
@Requires(classes = HttpClient.class)
final class RetryRules {

    private static final int FIRST_SERVER_ERROR = 500;

    /** Request Timeout, Too Early, Too Many Requests: the server did not work on it. */
    private static final Set<Integer> SENT_AGAIN = Set.of(408, 425, 429);

    private final RemoteProblems problems;

    RetryRules(RemoteProblems problems) {
        this.problems = problems;
    }

    /**
     * After a failed attempt.
     *
     * @param failure what it ended with
     * @param sent how many attempts were made
     * @return empty when there is to be no other
     */
    Optional<Duration> afterFailure(Throwable failure, int sent, RetryPolicy policy) {
        if (failure instanceof HttpClientResponseException answered) {
            return afterAnswer(answered.getResponse(), sent, policy);
        }
        return sent <= policy.retries() && isLost(failure)
                ? Optional.of(policy.delayAfter(sent, chance()))
                : Optional.empty();
    }

    /** Whether the request or its answer was lost. A request without an address and an answer that is too large were not. */
    private static boolean isLost(Throwable failure) {
        return failure instanceof HttpClientException
                && !(failure instanceof NoHostException || failure instanceof ContentLengthExceededException);
    }

    /** After an answer, which some clients return rather than throw. */
    Optional<Duration> afterAnswer(HttpResponse<?> answer, int sent, RetryPolicy policy) {
        if (sent > policy.retries() || !isWorthIt(answer)) {
            return Optional.empty();
        }
        Duration own = policy.delayAfter(sent, chance());
        Optional<Duration> asked = RetryAfter.of(answer.getHeaders());
        if (asked.isEmpty()) {
            return Optional.of(own);
        }
        // an earlier attempt would be refused again; whether to wait longer is the caller's decision
        return asked.filter(span -> span.compareTo(policy.maxDelay()) <= 0)
                .map(span -> span.plus(spread(policy)))
                .map(span -> span.compareTo(own) < 0 ? own : span);
    }

    /** What a refusal of the profile says counts, whatever status the called deployment gives it. */
    private boolean isWorthIt(HttpResponse<?> answer) {
        return problems.of(answer)
                .map(problem -> problem.retry() == Retry.SAME_KEY)
                .orElseGet(() -> isTransient(answer));
    }

    /** Of servers that do not speak the profile. A conflict is over some day only where the server says so. */
    private boolean isTransient(HttpResponse<?> answer) {
        int status = answer.code();
        if (status == HttpStatus.CONFLICT.getCode()) {
            return answer.getHeaders().contains(HttpHeaders.RETRY_AFTER) || problems.saysInProgress(answer);
        }
        return status >= FIRST_SERVER_ERROR || SENT_AGAIN.contains(status);
    }

    /** Spreads callers that were told the same time. */
    private static Duration spread(RetryPolicy policy) {
        return Duration.ofMillis(Math.round(policy.delay().toMillis() * policy.jitter() * chance()));
    }

    private static double chance() {
        return ThreadLocalRandom.current().nextDouble();
    }
}
