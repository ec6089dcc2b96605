package io.idempotency.http.server.problem;

import io.idempotency.Refusal;
import io.idempotency.http.server.HttpConfiguration.Problems;
import io.idempotency.runtime.RequestKeySource;
import io.idempotency.runtime.http.IdempotencyHeaders;
import io.micronaut.context.annotation.Context;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.env.Environment;
import io.micronaut.context.exceptions.ConfigurationException;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.context.ServerContextPathProvider;
import io.micronaut.http.server.exceptions.ExceptionHandler;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * The URIs and statuses of the problem types. Made while the application starts, so that a wrong configuration stops it
 * there.
 */
@Context
@Requires(classes = ExceptionHandler.class)
final class ProblemTypes {

    /** Characters of RFC 3986 that may stand in a link's angle brackets; no braces, which would be a route's variable. */
    private static final Pattern BASE =
            Pattern.compile("(https?://[^/?#\\s<>\"{}]+)?(/[^/?#\\s<>\"{}]+)*", Pattern.CASE_INSENSITIVE);

    private final String base;
    private final Map<Refusal, HttpStatus> statuses;
    private final @Nullable RequestKeySource keys;

    ProblemTypes(
            Problems configuration,
            List<RefusalConfiguration> refusals,
            Environment environment,
            @Nullable ServerContextPathProvider contextPath,
            @Nullable RequestKeySource keys) {
        this.keys = keys;
        String configured = checked("base", configuration.getBase());
        String prefix = contextPath == null || !configured.startsWith("/") ? null : contextPath.getContextPath();
        this.base = prefixed(configuration.getPrefix(), prefix == null ? configured : joined(prefix, configured));
        this.statuses = RefusalConfiguration.statuses(environment, refusals);
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
        if (prefix == null) {
            return base;
        }
        if (!base.startsWith("/")) {
            throw new ConfigurationException(Problems.PREFIX + ".prefix: no proxy stands before the absolute "
                    + Problems.PREFIX + ".base. Leave one of the two out.");
        }
        return checked("prefix", prefix) + base;
    }

    /** As Micronaut prefixes the routes of controllers. */
    private static String joined(String prefix, String path) {
        String start = prefix.startsWith("/") ? prefix : "/" + prefix;
        return (start.endsWith("/") ? start.substring(0, start.length() - 1) : start) + path;
    }

    HttpStatus status(Refusal refusal) {
        return Objects.requireNonNull(statuses.get(refusal));
    }

    /** For the description of the type: with the header that carries keys unless an operation has another. */
    String title(Refusal refusal) {
        return title(refusal, "");
    }

    /** With the header that carries the keys of an operation. */
    String title(Refusal refusal, String operation) {
        return keys == null
                ? refusal.title()
                : refusal.title().replace(IdempotencyHeaders.IDEMPOTENCY_KEY, keys.header(operation));
    }

    String uri(Refusal refusal) {
        return base + "/" + refusal.code();
    }

    /** The value of a Link header that leads to the description (RFC 8288). */
    String link(Refusal refusal) {
        return "<" + uri(refusal) + ">; rel=\"describedby\"";
    }
}
