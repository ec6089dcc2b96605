package io.idempotency.http.client;

import io.idempotency.IdempotencyException;
import io.idempotency.IdempotencyException.Executed;
import io.idempotency.IdempotencyException.Retry;
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
import io.micronaut.http.client.exceptions.HttpClientException;
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

    /** Request Timeout, Too Early, Too Many Requests: the server did not work on the request. */
    private static final Set<Integer> SENT_AGAIN = Set.of(408, 425, 429);

    /** Answers of gateways, guards and routers, which do not look at keys: RFC 9110, 6585, 8470. */
    private static final Set<Integer> BEFORE_THE_KEY = Set.of(401, 403, 404, 405, 407, 413, 421, 425, 429, 431);

    /** A thousand years, which callers can add to any time. */
    private static final BigInteger MOST_SECONDS =
            BigInteger.valueOf(Duration.ofDays(365_000).toSeconds());

    /** Longer than any text of the profile. */
    private static final int LONGEST_TEXT = 1000;

    /**
     * What an error answer says. Texts of the profile are empty where there is none.
     *
     * @param kind the exception that it becomes; null for none, and for a code of a later version
     * @param retry whether another attempt with the same key may get another answer
     * @param executed whether the first request with the key ran, or yet may; no, where the answer says nothing
     */
    record Meaning(
            @Nullable Refusal kind, Retry retry, Executed executed, String code, String operation, String detail) {}

    Meaning of(HttpResponse<?> answer) {
        Map<String, Object> members = new HashMap<>(document(answer));
        members.putAll(status(answer.getHeaders(), "refused"));
        String code = text(members, "code");
        Retry retry = named(Retry.values(), Retry::code, members.get("retry"));
        Executed executed = named(Executed.values(), Executed::code, members.get("executed"));
        if (code.isEmpty() || retry == null || executed == null) {
            return ofOtherSystem(answer, members);
        }
        Refusal kind = Refusal.named(code).orElse(null);
        if (kind != null && kind.executed() == Executed.NO && executed != Executed.NO) {
            kind = Refusal.OUTCOME_UNKNOWN; // one operation of the called system did not run, and another may have
        }
        Executed ran = kind == null ? executed : kind.executed();
        return new Meaning(kind, retry, ran, code, text(members, "operation"), text(members, "detail"));
    }

    /**
     * Reads an answer of a system that does not speak the profile. A conflict passes only if it says "in progress": by
     * a time after which it is over, by the draft's one conflict (section 2.7), or by Stripe's code.
     */
    private static Meaning ofOtherSystem(HttpResponse<?> answer, Map<String, Object> members) {
        boolean inProgress = answer.code() == HttpStatus.CONFLICT.getCode()
                && (answer.getHeaders().contains(HttpHeaders.RETRY_AFTER)
                        || (text(members, "type") + text(members, "title"))
                                .toLowerCase(Locale.ROOT)
                                .contains("idempoten")
                        || members.get("error") instanceof Map<?, ?> error
                                && "idempotency_key_in_use".equals(error.get("code")));
        boolean passes = inProgress
                || answer.code() >= HttpStatus.INTERNAL_SERVER_ERROR.getCode()
                || SENT_AGAIN.contains(answer.code());
        return new Meaning(
                null, passes ? Retry.SAME_KEY : Retry.NEVER, inProgress ? Executed.UNKNOWN : Executed.NO, "", "", "");
    }

    private static <T> @Nullable T named(T[] values, Function<T, String> code, @Nullable Object wanted) {
        return Arrays.stream(values)
                .filter(value -> code.apply(value).equals(wanted))
                .findFirst()
                .orElse(null);
    }

    /** Returns a text that another system chose, shortened. */
    private static String text(Map<String, Object> members, String name) {
        return members.get(name) instanceof String text ? RecordedFailure.shortened(text, LONGEST_TEXT) : "";
    }

    /** Tells whether the first answer is recorded, so that another attempt would get the same. */
    static boolean isRecorded(HttpHeaders headers) {
        return headers.contains(IdempotencyHeaders.IDEMPOTENT_REPLAYED)
                || "settled".equals(status(headers, "executed").get("key"));
    }

    /** Returns whether the first request with the key of a failed one ran, or yet may; no, where no answer says so. */
    Executed executed(Throwable failure) {
        return failure instanceof HttpClientResponseException answer
                ? of(answer.getResponse()).executed()
                : Executed.NO;
    }

    /** Tells whether a failure says that its own attempt did nothing, and nothing about earlier ones with the key. */
    boolean didNothing(Throwable failure) {
        if (!(failure instanceof HttpClientResponseException answer)) {
            return failure instanceof NoHostException || HttpClientClassifier.isUnsent(failure);
        }
        Meaning meaning = of(answer.getResponse());
        return meaning.kind() != null
                ? meaning.executed() == Executed.NO
                : BEFORE_THE_KEY.contains(answer.code())
                        && Stream.of(IdempotencyHeaders.IDEMPOTENCY_STATUS, IdempotencyHeaders.IDEMPOTENT_REPLAYED)
                                .noneMatch(answer.getResponse().getHeaders()::contains);
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
        return headers.getAll(IdempotencyHeaders.IDEMPOTENCY_STATUS).stream()
                .flatMap(line -> Stream.of(line.split(",", -1)))
                .map(member -> member.strip().split(";", -1))
                .filter(parts -> parts[0].equals(outcome))
                .map(parts -> Stream.of(parts)
                        .map(parameter -> parameter.split("=", 2))
                        .filter(pair -> pair.length == 2)
                        .collect(Collectors.toMap(
                                pair -> pair[0].strip(), pair -> pair[1].strip(), (one, last) -> last)))
                .filter(parameters -> !parameters.containsKey("op"))
                .findFirst()
                .orElse(Map.of());
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
                && refusal.getCause() instanceof HttpClientException; // an answer, or that nothing was sent
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
        if (failure instanceof HttpClientResponseException) {
            return executed(failure) == Executed.UNKNOWN ? Optional.of(Effect.UNKNOWN) : Optional.empty();
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
        Meaning meaning = of(answer.getResponse());
        if (meaning.kind() == null) {
            return failure;
        }
        String operation = meaning.operation().isEmpty() ? call : meaning.operation();
        String said = answered(answer) + meaning.code() + ": "
                + (meaning.detail().isEmpty()
                        ? RecordedFailure.shortened(String.valueOf(answer.getMessage()), LONGEST_TEXT)
                        : meaning.detail());
        if (meaning.kind() == Refusal.PREVIOUS_ATTEMPT_FAILED) {
            return new PreviousAttemptFailedException(
                    operation,
                    null,
                    said,
                    HttpClientResponseException.class.getName(),
                    meaning.detail(),
                    "http:" + answer.code(),
                    answer);
        }
        Duration retryAfter = retryAfter(answer.getResponse().getHeaders())
                .filter(span -> !span.isZero())
                .orElse(Duration.ofSeconds(1));
        return meaning.kind().exception(operation, null, said, retryAfter, answer);
    }
}
