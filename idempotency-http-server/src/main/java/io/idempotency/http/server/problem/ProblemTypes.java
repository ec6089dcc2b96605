package io.idempotency.http.server.problem;

import io.idempotency.IdempotencyException.Retry;
import io.idempotency.Refusal;
import io.idempotency.http.server.HttpConfiguration.Problems;
import io.idempotency.runtime.RequestKeySource;
import io.idempotency.runtime.http.IdempotencyHeaders;
import io.micronaut.context.annotation.Context;
import io.micronaut.context.annotation.EachProperty;
import io.micronaut.context.annotation.Parameter;
import io.micronaut.context.env.Environment;
import io.micronaut.context.exceptions.ConfigurationException;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.core.util.StringUtils;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.context.ServerContextPathProvider;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;

/** The URIs and statuses of problem types. Created at start-up, where a wrong configuration stops the application. */
@Context
final class ProblemTypes {

    /** A path or URI (RFC 3986) that fits into angle brackets, without braces, which would be a route's variable. */
    private static final Pattern BASE =
            Pattern.compile("(https?://[^/?#\\s<>\"{}]+)?(/[^/?#\\s<>\"{}]+)*", Pattern.CASE_INSENSITIVE);

    /** Client errors after which HTTP clients commonly send a request again. */
    private static final Set<Integer> SENT_AGAIN = Set.of(408, 425, 429);

    private final String base;
    private final Map<Refusal, HttpStatus> statuses = new EnumMap<>(Refusal.class);
    private final RequestKeySource keys;

    ProblemTypes(
            Problems configuration,
            List<RefusalConfiguration> refusals,
            Environment environment,
            @Nullable ServerContextPathProvider contextPath,
            RequestKeySource keys) {
        this.keys = keys;
        String configured = checked("base", configuration.base());
        String prefix = contextPath == null || !configured.startsWith("/") ? null : contextPath.getContextPath();
        this.base = prefixed(
                configuration.prefix(), prefix == null ? configured : StringUtils.prependUri(prefix, configured));
        for (RefusalConfiguration written : refusals) {
            // without a status, Micronaut may have taken a part of an environment variable for the code
            if (written.status() != null && Refusal.named(written.code()).isEmpty()) {
                throw new ConfigurationException(property(written.code()) + ": there is no such refusal. Known are "
                        + Arrays.stream(Refusal.values()).map(Refusal::code).toList());
            }
        }
        for (Refusal refusal : Refusal.values()) {
            // looked up by code, which Micronaut does not derive from an environment variable
            String written = environment
                    .getProperty(property(refusal.code()), String.class)
                    .orElse(null);
            statuses.put(refusal, written == null ? HttpStatus.valueOf(refusal.status()) : checked(refusal, written));
        }
    }

    /**
     * {@code idempotency.http.refusals.<code>.status}: the status of a refusal in this deployment.
     *
     * @param code the refusal's code
     * @param status the status of this refusal
     */
    @EachProperty(RefusalConfiguration.PREFIX)
    record RefusalConfiguration(
            @Parameter String code, @Nullable String status) {

        static final String PREFIX = "idempotency.http.refusals";
    }

    private static String property(String code) {
        return RefusalConfiguration.PREFIX + "." + code + ".status";
    }

    private static HttpStatus checked(Refusal refusal, String status) {
        HttpStatus wanted = Arrays.stream(HttpStatus.values())
                .filter(known -> known.getCode() >= HttpStatus.BAD_REQUEST.getCode())
                .filter(known -> Integer.toString(known.getCode()).equals(status.strip()))
                .findFirst()
                .orElseThrow(() -> new ConfigurationException(
                        property(refusal.code()) + ": '" + status + "' is not an HTTP status from 400 to 599."));
        boolean sentAgain =
                wanted.getCode() >= HttpStatus.INTERNAL_SERVER_ERROR.getCode() || SENT_AGAIN.contains(wanted.getCode());
        if (sentAgain && refusal.retry() != Retry.SAME_KEY) {
            throw new ConfigurationException(property(refusal.code()) + ": clients send a request again after " + status
                    + ", which never helps here. Use a status from 400 to 499, but none of 408, 425 and 429.");
        }
        return wanted;
    }

    private static String checked(String name, String configured) {
        if (configured.isEmpty() || !BASE.matcher(configured).matches()) {
            throw new ConfigurationException(Problems.PREFIX + "." + name + ": '" + configured
                    + "' is neither a path like " + Problems.STANDARD_BASE
                    + " nor an absolute URI like https://example.com/problems, without a slash at the end.");
        }
        return configured;
    }

    private static String prefixed(@Nullable String prefix, String base) {
        if (prefix != null && !base.startsWith("/")) {
            throw new ConfigurationException(Problems.PREFIX + ".prefix: no proxy stands before the absolute "
                    + Problems.PREFIX + ".base. Leave one of the two out.");
        }
        return prefix == null ? base : checked("prefix", prefix) + base;
    }

    HttpStatus status(Refusal refusal) {
        return Objects.requireNonNull(statuses.get(refusal));
    }

    /** Returns the title, with the header that carries the operation's keys. */
    String title(Refusal refusal, String operation) {
        return refusal.title().replace(IdempotencyHeaders.IDEMPOTENCY_KEY, keys.header(operation));
    }

    String uri(Refusal refusal) {
        return base + "/" + refusal.code();
    }
}
