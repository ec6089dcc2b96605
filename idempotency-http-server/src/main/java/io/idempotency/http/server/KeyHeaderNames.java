package io.idempotency.http.server;

import io.micronaut.context.annotation.Context;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.exceptions.ConfigurationException;
import io.micronaut.http.HttpRequest;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** The header fields that carry keys. Made while the application starts, so that a wrong name stops it there. */
@Context
@Requires(classes = HttpRequest.class)
final class KeyHeaderNames {

    /** RFC 9110, section 5.1. */
    static final Pattern NAME = Pattern.compile("[A-Za-z0-9!#$%&'*+.^_`|~-]+");

    /** They say something else, the same for many requests. */
    private static final Set<String> TAKEN = Set.of(
            "accept",
            "authorization",
            "connection",
            "content-length",
            "content-type",
            "cookie",
            "host",
            "origin",
            "referer",
            "user-agent");

    private final String all;
    private final Map<String, String> own = new HashMap<>();

    KeyHeaderNames(HttpConfiguration configuration, List<OperationHttpConfiguration> operations) {
        all = checked(HttpConfiguration.PREFIX + ".header", configuration.getHeader());
        for (OperationHttpConfiguration operation : operations) {
            String header = operation.header();
            if (header != null) {
                own.put(operation.name(), checked(operation.property("header"), header));
            }
        }
    }

    private static String checked(String property, String name) {
        if (!NAME.matcher(name).matches() || TAKEN.contains(name.toLowerCase(Locale.ROOT))) {
            throw new ConfigurationException(property + ": '" + name
                    + "' cannot be the header field of a key. Write a name such as Idempotency-Key or X-Request-Id.");
        }
        return name;
    }

    /** That of one operation. */
    String of(String operation) {
        return own.getOrDefault(operation, all);
    }

    /** Each once, whatever its case. */
    Collection<String> all() {
        Set<String> names = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        names.add(all);
        names.addAll(own.values());
        return names;
    }
}
