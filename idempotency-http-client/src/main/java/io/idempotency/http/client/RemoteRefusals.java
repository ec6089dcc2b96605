package io.idempotency.http.client;

import io.idempotency.IdempotencyException;
import io.idempotency.IdempotencyException.Executed;
import io.idempotency.IdempotencyException.Retry;
import io.idempotency.OutcomeUnknownException;
import io.idempotency.PreviousAttemptFailedException;
import io.idempotency.Refusal;
import io.idempotency.runtime.Effect;
import io.idempotency.runtime.FailureClassifier;
import io.idempotency.runtime.http.IdempotencyHeaders;
import io.idempotency.runtime.http.RemoteRefusal;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.type.Argument;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.client.HttpClient;
import io.micronaut.http.client.exceptions.HttpClientResponseException;
import io.micronaut.json.JsonMapper;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads the refusals of the profile, and turns them back into the exceptions that the other system threw. The header is enough,
 * whatever the body is; a JSON document adds the operation and the detail, and is enough alone where a gateway removed the header.
 * What a refusal says of the execution there decides what becomes of an operation around the call.
 */
@Singleton
@Requires(classes = HttpClient.class)
final class RemoteRefusals implements FailureClassifier, RemoteRefusal {

    private static final Argument<Map<String, Object>> DOCUMENT = Argument.mapOf(String.class, Object.class);
    private static final String REFUSED = "refused";
    private static final String EXECUTED = "executed";
    private static final String IN_USE = "idempotency_key_in_use";

    private static final Pattern SECONDS = Pattern.compile("[0-9]+");
    private static final int MOST_DIGITS = 18;
    private static final Duration SHORTEST_RETRY = Duration.ofSeconds(1);

    private final JsonMapper json;

    RemoteRefusals(JsonMapper json) {
        this.json = json;
    }

    /**
     * A refusal of the profile, as another system sent it.
     *
     * @param code its kind, possibly one of a later version
     * @param operation the other system's operation, null when it does not say
     * @param detail its words, possibly empty
     * @param retry what its caller is asked to do
     * @param executed whether the operation ran
     */
    record Problem(String code, @Nullable String operation, String detail, Retry retry, Executed executed) {

        /** Empty unless all members are there that make a refusal one of the profile. */
        private static Optional<Problem> of(Map<String, Object> members) {
            Optional<Retry> retry = named(Retry.values(), Retry::code, members.get("retry"));
            Optional<Executed> executed = named(Executed.values(), Executed::code, members.get(EXECUTED));
            return members.get("code") instanceof String code && retry.isPresent() && executed.isPresent()
                    ? Optional.of(new Problem(
                            code,
                            members.get("operation") instanceof String operation ? operation : null,
                            members.get("detail") instanceof String detail ? detail : "",
                            retry.get(),
                            executed.get()))
                    : Optional.empty();
        }
    }

    private static <T> Optional<T> named(T[] values, Function<T, String> code, @Nullable Object wanted) {
        return Arrays.stream(values)
                .filter(value -> code.apply(value).equals(wanted))
                .findFirst();
    }

    /** Empty for answers of systems that do not speak the profile. */
    Optional<Problem> of(HttpResponse<?> response) {
        Map<String, Object> members = new HashMap<>(document(response));
        status(response.getHeaders(), REFUSED).forEach(members::put);
        return Problem.of(members);
    }

    /** Whether a first answer is recorded, so that another attempt would be answered the same. */
    static boolean isSettled(HttpHeaders headers) {
        return "settled".equals(status(headers, EXECUTED).get("key"));
    }

    /**
     * Whether a conflict says that the first request with the key is still in progress, in the words of other libraries: a problem about
     * idempotency, since a server that follows the draft (section 2.7) has other statuses for the rest; or the code of Stripe.
     */
    boolean saysInProgress(HttpResponse<?> conflict) {
        Map<String, Object> members = document(conflict);
        return Stream.of("type", "title").anyMatch(name -> isAboutIdempotency(members.get(name)))
                || members.get("error") instanceof Map<?, ?> error && IN_USE.equals(error.get("code"));
    }

    private static boolean isAboutIdempotency(@Nullable Object text) {
        return text instanceof String said && said.toLowerCase(Locale.ROOT).contains("idempoten");
    }

    private Map<String, Object> document(HttpResponse<?> response) {
        return response.getContentType()
                .filter(type -> type.getSubtype().endsWith(MediaType.EXTENSION_JSON))
                .flatMap(type -> response.getBody(byte[].class))
                .map(this::parsed)
                .orElse(Map.of());
    }

    private @Nullable Map<String, Object> parsed(byte[] bytes) {
        try {
            return json.readValue(bytes, DOCUMENT);
        } catch (IOException e) {
            return null; // not a document
        }
    }

    /**
     * The parameters of the one member that speaks of the whole answer; none of them is quoted. A member that names its
     * operation is one of several calls, which the application may have answered in its own way.
     */
    private static Map<String, String> status(HttpHeaders headers, String outcome) {
        return headers.getAll(IdempotencyHeaders.IDEMPOTENCY_STATUS).stream()
                .flatMap(line -> Arrays.stream(line.split(",", -1)))
                .map(String::strip)
                .filter(member -> member.startsWith(outcome + ";"))
                .map(RemoteRefusals::parameters)
                .filter(parameters -> !parameters.containsKey("op"))
                .findFirst()
                .orElse(Map.of());
    }

    private static Map<String, String> parameters(String member) {
        return Arrays.stream(member.split(";", -1))
                .map(parameter -> parameter.split("=", 2))
                .filter(parameter -> parameter.length == 2)
                .collect(Collectors.toMap(parts -> parts[0].strip(), parts -> parts[1].strip(), (one, other) -> other));
    }

    /**
     * The time for which the server asks to wait, in the {@code Retry-After} header (RFC 9110, section 10.2.3): seconds, or a date. Empty
     * when the header is absent or cannot be read.
     */
    static Optional<Duration> retryAfter(HttpHeaders headers) {
        String value = Optional.ofNullable(headers.get(HttpHeaders.RETRY_AFTER))
                .map(String::strip)
                .orElse("");
        if (SECONDS.matcher(value).matches()) {
            return Optional.of(
                    Duration.ofSeconds(value.length() > MOST_DIGITS ? Long.MAX_VALUE : Long.parseLong(value)));
        }
        // counts from the server's clock, because clocks differ
        Instant now = Optional.ofNullable(headers.get(HttpHeaders.DATE))
                .flatMap(RemoteRefusals::instant)
                .orElseGet(Instant::now);
        return instant(value).map(then -> then.isBefore(now) ? Duration.ZERO : Duration.between(now, then));
    }

    private static Optional<Instant> instant(String date) {
        try {
            return Optional.of(DateTimeFormatter.RFC_1123_DATE_TIME.parse(date, Instant::from));
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    @Override
    public boolean isRemote(IdempotencyException refusal) {
        return refusal.getCause() instanceof HttpClientResponseException
                || refusal.getCause() instanceof LogicalCall.UnsentCallException;
    }

    @Override
    public Optional<Effect> effect(Throwable failure) {
        return failure instanceof IdempotencyException refusal && isRemote(refusal)
                ? Optional.of(refusal.executed() == Executed.UNKNOWN ? Effect.UNKNOWN : Effect.FINAL)
                : Optional.empty();
    }

    /** The exception for a failure; the failure itself where it is no refusal of the profile, or one that this version does not know. */
    Throwable typed(Throwable failure, String call) {
        return failure instanceof HttpClientResponseException answer
                ? of(answer.getResponse())
                        .<Throwable>map(problem -> typed(problem, answer, call))
                        .orElse(failure)
                : failure;
    }

    private static Throwable typed(Problem problem, HttpClientResponseException answer, String call) {
        Refusal kind = Refusal.named(problem.code()).orElse(null);
        if (kind == null) {
            return answer;
        }
        String operation = problem.operation() == null ? call : problem.operation();
        String said = "the called system"
                + (answer.getServiceId() == null ? "" : " '" + answer.getServiceId() + "'") + " answered "
                + answer.code() + " " + problem.code() + ": "
                + (problem.detail().isEmpty() ? answer.getMessage() : problem.detail());
        if (kind.executed() == Executed.NO && problem.executed() != Executed.NO) {
            // one of their operations did not run, and another one may have
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
                .orElse(SHORTEST_RETRY);
        return kind.exception(operation, null, said, retryAfter, answer);
    }
}
