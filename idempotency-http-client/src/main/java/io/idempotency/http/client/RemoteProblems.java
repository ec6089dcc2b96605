package io.idempotency.http.client;

import io.idempotency.IdempotencyException.Executed;
import io.idempotency.IdempotencyException.Retry;
import io.idempotency.runtime.http.IdempotencyHeaders;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.type.Argument;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.client.HttpClient;
import io.micronaut.json.JsonMapper;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads refusals of the profile and ignores every other answer. The header is enough whatever the body is. A JSON
 * document adds the operation and the detail, and is enough alone where a gateway removed the header.
 */
@Singleton
@Requires(classes = HttpClient.class)
final class RemoteProblems {

    private static final Argument<Map<String, Object>> DOCUMENT = Argument.mapOf(String.class, Object.class);
    private static final String REFUSED = "refused";
    private static final String EXECUTED = "executed";
    private static final String IN_USE = "idempotency_key_in_use";

    private final JsonMapper json;

    RemoteProblems(JsonMapper json) {
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
            String code = text(members, "code");
            Retry retry = named(Retry.values(), Retry::code, text(members, "retry"));
            Executed executed = named(Executed.values(), Executed::code, text(members, EXECUTED));
            if (code == null || retry == null || executed == null) {
                return Optional.empty();
            }
            String detail = text(members, "detail");
            return Optional.of(
                    new Problem(code, text(members, "operation"), detail == null ? "" : detail, retry, executed));
        }
    }

    private static @Nullable String text(Map<String, Object> members, String name) {
        return members.get(name) instanceof String value ? value : null;
    }

    private static <T> @Nullable T named(T[] values, Function<T, String> code, @Nullable String wanted) {
        return Arrays.stream(values)
                .filter(value -> code.apply(value).equals(wanted))
                .findFirst()
                .orElse(null);
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
     * Whether a conflict says that the first request with the key is still in progress, in the words of others: a problem about
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
        if (response.getContentType().filter(RemoteProblems::isJson).isEmpty()) {
            return Map.of();
        }
        return response.getBody(byte[].class).map(this::parsed).orElse(Map.of());
    }

    private static boolean isJson(MediaType type) {
        return type.getSubtype().endsWith(MediaType.EXTENSION_JSON);
    }

    private Map<String, Object> parsed(byte[] bytes) {
        try {
            Map<String, Object> document = json.readValue(bytes, DOCUMENT);
            return document == null ? Map.of() : document;
        } catch (IOException e) {
            return Map.of(); // not a document
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
                .map(RemoteProblems::parameters)
                .filter(parameters -> !parameters.containsKey("op"))
                .findFirst()
                .orElse(Map.of());
    }

    private static Map<String, String> parameters(String member) {
        Map<String, String> parameters = new HashMap<>();
        for (String parameter : member.split(";", -1)) {
            int equals = parameter.indexOf('=');
            if (equals > 0) {
                parameters.put(
                        parameter.substring(0, equals).strip(),
                        parameter.substring(equals + 1).strip());
            }
        }
        return parameters;
    }
}
