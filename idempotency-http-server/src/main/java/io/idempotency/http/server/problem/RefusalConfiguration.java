package io.idempotency.http.server.problem;

import io.idempotency.IdempotencyException.Retry;
import io.idempotency.Refusal;
import io.micronaut.context.annotation.EachProperty;
import io.micronaut.context.annotation.Parameter;
import io.micronaut.context.exceptions.ConfigurationException;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.core.value.PropertyResolver;
import io.micronaut.http.HttpStatus;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * {@code idempotency.http.refusals.<code>.status}: the status of a refusal in this deployment.
 *
 * @param code the refusal's code
 * @param status the status of this refusal
 */
@EachProperty(RefusalConfiguration.PREFIX)
record RefusalConfiguration(
        @Parameter String code, @Nullable String status) {

    /** Where the properties are. */
    static final String PREFIX = "idempotency.http.refusals";

    private static final int FIRST_CLIENT_ERROR = 400;
    private static final int FIRST_SERVER_ERROR = 500;

    /** Besides server errors, what clients that know nothing of idempotency keys send again. */
    private static final Set<Integer> SENT_AGAIN = Set.of(408, 425, 429);

    /**
     * The status of every refusal.
     *
     * @param properties asked for each refusal by its code: Micronaut does not guess that code from an environment variable
     * @param configured all that is written
     */
    static Map<Refusal, HttpStatus> statuses(PropertyResolver properties, List<RefusalConfiguration> configured) {
        configured.forEach(RefusalConfiguration::requireKnown);
        Map<Refusal, HttpStatus> statuses = new EnumMap<>(Refusal.class);
        for (Refusal refusal : Refusal.values()) {
            statuses.put(
                    refusal,
                    properties
                            .getProperty(property(refusal.code()), String.class)
                            .map(status -> checked(refusal, status))
                            .orElseGet(() -> HttpStatus.valueOf(refusal.status())));
        }
        return statuses;
    }

    private void requireKnown() {
        // Micronaut takes a part of an environment variable for a name
        if (status != null && Refusal.named(code).isEmpty()) {
            List<String> codes =
                    Arrays.stream(Refusal.values()).map(Refusal::code).toList();
            throw new ConfigurationException(property(code) + ": there is no such refusal. Known are " + codes);
        }
    }

    private static HttpStatus checked(Refusal refusal, String status) {
        HttpStatus wanted = Arrays.stream(HttpStatus.values())
                .filter(known -> known.getCode() >= FIRST_CLIENT_ERROR)
                .filter(known -> Integer.toString(known.getCode()).equals(status.strip()))
                .findFirst()
                .orElseThrow(() -> new ConfigurationException(
                        property(refusal.code()) + ": '" + status + "' is not an HTTP status from 400 to 599."));
        boolean sentAgain = wanted.getCode() >= FIRST_SERVER_ERROR || SENT_AGAIN.contains(wanted.getCode());
        if (sentAgain && refusal.retry() != Retry.SAME_KEY) {
            throw new ConfigurationException(property(refusal.code()) + ": clients send a request again after " + status
                    + ", which never helps here. Use a status from 400 to 499, but none of 408, 425 and 429.");
        }
        return wanted;
    }

    private static String property(String code) {
        return PREFIX + "." + code + ".status";
    }
}
