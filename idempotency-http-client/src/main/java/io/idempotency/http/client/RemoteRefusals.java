package io.idempotency.http.client;

import io.idempotency.IdempotencyException;
import io.idempotency.IdempotencyException.Executed;
import io.idempotency.IdempotencyException.Retry;
import io.idempotency.OutcomeUnknownException;
import io.idempotency.PreviousAttemptFailedException;
import io.idempotency.Refusal;
import io.idempotency.runtime.Effect;
import io.idempotency.runtime.FailureClassifier;
import io.idempotency.runtime.http.HttpClientClassifier;
import io.idempotency.runtime.http.IdempotencyHeaders;
import io.idempotency.runtime.http.RemoteRefusal;
import io.idempotency.runtime.outcome.RecordedFailure;
import io.micronaut.core.type.Argument;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.client.exceptions.HttpClientResponseException;
import io.micronaut.http.client.exceptions.NoHostException;
import io.micronaut.json.JsonMapper;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.math.BigInteger;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Turns refusals of the profile back into the exceptions that the other system threw, and classifies their effect for
 * operations around the call. The header is enough; so is the JSON document, which adds operation and detail, where a
 * gateway removed the header.
 */
@Singleton
record RemoteRefusals(JsonMapper json) implements FailureClassifier, RemoteRefusal {

    private static final Argument<Map<String, Object>> DOCUMENT = Argument.mapOf(String.class, Object.class);

    /** Answers of gateways, guards and routers, which do not look at keys: RFC 9110, 6585, 8470. */
    private static final Set<Integer> BEFORE_THE_KEY = Set.of(401, 403, 404, 405, 407, 413, 421, 425, 429, 431);

    /** A thousand years, which callers can add to any time. */
    private static final BigInteger MOST_SECONDS =
            BigInteger.valueOf(Duration.ofDays(365_000).toSeconds());

    /** Longer than any text of the profile. */
    private static final int LONGEST_TEXT = 1000;

    /** A refusal of the profile. The code may be one of a later version. */
    record Problem(String code, @Nullable String operation, String detail, Retry retry, Executed executed) {}

    private static <T> Optional<T> named(T[] values, Function<T, String> code, @Nullable Object wanted) {
        return Arrays.stream(values)
                .filter(value -> code.apply(value).equals(wanted))
                .findFirst();
    }

    /** Returns the refusal in an answer; empty when the system does not speak the profile. */
    Optional<Problem> of(HttpResponse<?> response) {
        Map<String, Object> members = new HashMap<>(document(response));
        members.putAll(status(response.getHeaders(), "refused"));
        Optional<Retry> retry = named(Retry.values(), Retry::code, members.get("retry"));
        Optional<Executed> executed = named(Executed.values(), Executed::code, members.get("executed"));
        return members.get("code") instanceof String code && retry.isPresent() && executed.isPresent()
                ? Optional.of(new Problem(
                        code,
                        members.get("operation") instanceof String operation ? shortened(operation) : null,
                        members.get("detail") instanceof String detail ? shortened(detail) : "",
                        retry.get(),
                        executed.get()))
                : Optional.empty();
    }

    /** Shortens a text that another system chose. */
    private static String shortened(@Nullable String text) {
        return RecordedFailure.shortened(String.valueOf(text), LONGEST_TEXT);
    }

    /** Tells whether an answer is an earlier one's. */
    static boolean isReplayed(HttpHeaders headers) {
        return "true".equalsIgnoreCase(headers.get(IdempotencyHeaders.IDEMPOTENT_REPLAYED));
    }

    /** Tells whether the answer's call ran, and left its key in this state. */
    static boolean leftKey(HttpHeaders headers, String state) {
        return state.equals(status(headers, "executed").get("key"));
    }

    /** Tells whether what became of a call of the request is not known. */
    private static boolean leftDoubt(HttpHeaders headers) {
        return members(headers)
                .map(RemoteRefusals::parameters)
                .anyMatch(call -> "in-doubt".equals(call.get("key"))
                        || "unknown".equals(call.get("effect"))
                        || "unknown".equals(call.get("executed")));
    }

    /** Tells whether a call of the request ran without protection, as it would again. */
    static boolean ranUnprotected(HttpHeaders headers) {
        return members(headers).anyMatch(member -> member.split(";", 2)[0].equals("ignored"));
    }

    /**
     * Tells whether another library says "in progress": by a conflict that is over some time later, by the draft's one
     * conflict (section 2.7), or by Stripe's code.
     */
    boolean saysInProgress(HttpResponse<?> answer) {
        if (answer.code() != HttpStatus.CONFLICT.getCode()) {
            return false; // reads no document of other answers
        }
        Map<String, Object> members = document(answer);
        return answer.getHeaders().contains(HttpHeaders.RETRY_AFTER)
                || Stream.of("type", "title")
                        .anyMatch(name -> members.get(name) instanceof String text
                                && text.toLowerCase(Locale.ROOT).contains("idempoten"))
                || members.get("error") instanceof Map<?, ?> error
                        && "idempotency_key_in_use".equals(error.get("code"));
    }

    /** Returns whether the first request with the key of a refused one ran, or yet may; no, where the answer says nothing. */
    Executed executed(HttpClientResponseException answer) {
        return typed(answer, "") instanceof IdempotencyException refusal
                ? refusal.executed()
                : of(answer.getResponse())
                        .map(Problem::executed)
                        .orElseGet(() -> saysInProgress(answer.getResponse())
                                        || leftDoubt(answer.getResponse().getHeaders())
                                ? Executed.UNKNOWN
                                : Executed.NO);
    }

    /** Tells whether a failure says that its own attempt did nothing, and nothing about earlier ones with the key. */
    boolean didNothing(Throwable failure) {
        if (!(failure instanceof HttpClientResponseException answer)) {
            return failure instanceof NoHostException || HttpClientClassifier.isUnsent(failure);
        }
        return typed(answer, "") instanceof IdempotencyException refusal
                ? refusal.executed() == Executed.NO
                : BEFORE_THE_KEY.contains(answer.code())
                        && !answer.getResponse().getHeaders().contains(IdempotencyHeaders.IDEMPOTENCY_STATUS)
                        && !isReplayed(answer.getResponse().getHeaders());
    }

    private Map<String, Object> document(HttpResponse<?> response) {
        byte[] bytes = response.getContentType()
                .filter(type -> type.getSubtype().endsWith(MediaType.EXTENSION_JSON))
                .flatMap(type -> response.getBody(byte[].class))
                .orElse(null);
        try {
            return bytes == null ? Map.of() : Objects.requireNonNullElse(json.readValue(bytes, DOCUMENT), Map.of());
        } catch (IOException e) {
            return Map.of(); // not a document
        }
    }

    /** Returns the parameters, never quoted, of the member about the whole answer, which names no operation. */
    private static Map<String, String> status(HttpHeaders headers, String outcome) {
        return members(headers)
                .filter(member -> member.startsWith(outcome + ";"))
                .map(RemoteRefusals::parameters)
                .filter(parameters -> !parameters.containsKey("op"))
                .findFirst()
                .orElse(Map.of());
    }

    private static Stream<String> members(HttpHeaders headers) {
        return headers.getAll(IdempotencyHeaders.IDEMPOTENCY_STATUS).stream()
                .flatMap(line -> Arrays.stream(line.split(",", -1)))
                .map(String::strip);
    }

    private static Map<String, String> parameters(String member) {
        return Arrays.stream(member.split(";", -1))
                .map(parameter -> parameter.split("=", 2))
                .filter(parameter -> parameter.length == 2)
                .collect(Collectors.toMap(parts -> parts[0].strip(), parts -> parts[1].strip(), (one, other) -> other));
    }

    /** Returns the wait of {@code Retry-After} (RFC 9110, section 10.2.3); empty when it is absent or unreadable. */
    static Optional<Duration> retryAfter(HttpHeaders headers) {
        String value = headers.get(HttpHeaders.RETRY_AFTER, String.class, "").strip();
        if (value.matches("[0-9]+")) {
            return Optional.of(
                    Duration.ofSeconds(new BigInteger(value).min(MOST_SECONDS).longValue()));
        }
        // counts from the server's clock, because clocks differ
        ZonedDateTime now = headers.findDate(HttpHeaders.DATE).orElseGet(() -> ZonedDateTime.now(ZoneOffset.UTC));
        return headers.findDate(HttpHeaders.RETRY_AFTER)
                .map(then -> then.isBefore(now) ? Duration.ZERO : Duration.between(now, then));
    }

    @Override
    public boolean isRemote(IdempotencyException refusal) {
        return refusal.keyHash() == null // an own one may be caused by what its reconciler asked
                && (refusal.getCause() instanceof HttpClientResponseException
                        || refusal.getCause() instanceof LogicalCall.UnsentCallException);
    }

    @Override
    public String described(IdempotencyException refusal) {
        return refusal.getCause() instanceof HttpClientResponseException answer
                ? answered(answer) + refusal.code()
                : String.valueOf(refusal.getMessage());
    }

    private static String answered(HttpClientResponseException answer) {
        return "the called system"
                + (answer.getServiceId() == null ? "" : " '" + answer.getServiceId() + "'") + " answered "
                + answer.code() + " ";
    }

    @Override
    public Optional<Effect> effect(Throwable failure) {
        if (failure instanceof HttpClientResponseException answer) {
            return executed(answer) == Executed.UNKNOWN ? Optional.of(Effect.UNKNOWN) : Optional.empty();
        }
        return failure instanceof IdempotencyException refusal && isRemote(refusal)
                ? Optional.of(refusal.executed() == Executed.UNKNOWN ? Effect.UNKNOWN : Effect.FINAL)
                : Optional.empty();
    }

    /** Returns the exception of a refusal; the failure itself when it is not a refusal that this version knows. */
    Exception typed(Exception failure, String call) {
        if (!(failure instanceof HttpClientResponseException answer)) {
            return failure;
        }
        Problem problem = of(answer.getResponse()).orElse(null);
        Refusal kind = problem == null ? null : Refusal.named(problem.code()).orElse(null);
        if (problem == null || kind == null) {
            return failure;
        }
        String operation = problem.operation() == null ? call : problem.operation();
        String said = answered(answer) + problem.code() + ": "
                + (problem.detail().isEmpty() ? shortened(answer.getMessage()) : problem.detail());
        if (kind.executed() == Executed.NO && problem.executed() != Executed.NO) {
            // one operation of the called system did not run, and another may have
            return new OutcomeUnknownException(operation, null, said, answer);
        } else if (kind == Refusal.PREVIOUS_ATTEMPT_FAILED) {
            return new PreviousAttemptFailedException(
                    operation,
                    null,
                    said,
                    HttpClientResponseException.class.getName(),
                    problem.detail(),
                    "http:" + answer.code(),
                    answer);
        }
        Duration retryAfter = retryAfter(answer.getResponse().getHeaders())
                .filter(span -> !span.isZero())
                .orElse(Duration.ofSeconds(1));
        return kind.exception(operation, null, said, retryAfter, answer);
    }
}
