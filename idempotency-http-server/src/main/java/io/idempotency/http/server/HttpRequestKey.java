package io.idempotency.http.server;

import io.idempotency.InvalidIdempotencyKeyException;
import io.idempotency.Refusal;
import io.idempotency.runtime.KeyFormat;
import io.idempotency.runtime.RequestKeySource;
import io.micronaut.context.BeanProvider;
import io.micronaut.context.annotation.Context;
import io.micronaut.context.event.BeanCreatedEvent;
import io.micronaut.context.event.BeanCreatedEventListener;
import io.micronaut.context.exceptions.ConfigurationException;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.context.ServerRequestContext;
import io.micronaut.http.server.HttpServerConfiguration.CorsConfiguration;
import io.micronaut.http.server.cors.CorsOriginConfiguration;
import jakarta.inject.Singleton;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads the key of the current request. Created at start-up, where a wrong header name stops the application. */
@Context
final class HttpRequestKey implements RequestKeySource {

    /** Names of header fields: RFC 9110, section 5.1. */
    static final Pattern NAME = Pattern.compile("[A-Za-z0-9!#$%&'*+.^_`|~-]+");

    private static final Pattern TAKEN = Pattern.compile(
            "accept|authorization|connection|content-length|content-type|cookie|host|origin|referer|user-agent",
            Pattern.CASE_INSENSITIVE);

    private final String all;
    private final Map<String, String> own = new HashMap<>();

    HttpRequestKey(HttpConfiguration configuration, List<HttpConfiguration.OfOperation> operations) {
        all = checked(HttpConfiguration.PREFIX + ".header", configuration.header());
        for (HttpConfiguration.OfOperation operation : operations) {
            String header = operation.header();
            if (header != null) {
                own.put(operation.name(), checked(operation.property("header"), header));
            }
        }
    }

    private static String checked(String property, String name) {
        if (!NAME.matcher(name).matches() || TAKEN.matcher(name).matches()) {
            throw new ConfigurationException(property + ": '" + name
                    + "' cannot be the header field of a key. Write a name such as Idempotency-Key or X-Request-Id.");
        }
        return name;
    }

    @Override
    public String header(String operation) {
        return own.getOrDefault(operation, all);
    }

    @Override
    public @Nullable String currentKey(String operation, KeyFormat format) {
        String key;
        try {
            key = KeyHeader.parse(ServerRequestContext.currentRequest()
                    .map(request -> request.getHeaders().getAll(header(operation)))
                    .orElse(List.of()));
        } catch (IllegalArgumentException e) {
            throw invalid(operation, "is malformed: " + e.getMessage(), Refusal.KEY_INVALID.next());
        }
        if (key != null && !format.permits(key)) {
            throw invalid(operation, "is not " + format.description(), "Send " + format.description() + ".");
        }
        return key == null ? null : format.canonical(key);
    }

    @Override
    public @Nullable String boundKey(String operation, KeyFormat format, String header, @Nullable Object argument) {
        boolean bound = header.equalsIgnoreCase(header(operation))
                && ServerRequestContext.currentRequest()
                        .map(request -> request.getHeaders().get(header))
                        .filter(sent -> sent.equals(argument))
                        .isPresent();
        return bound ? currentKey(operation, format) : null;
    }

    @Override
    public boolean wantsKey() {
        return ServerRequestContext.currentRequest()
                .filter(HttpRequestKey::isSafe)
                .isEmpty();
    }

    static boolean isSafe(HttpRequest<?> request) {
        return HttpConfiguration.SAFE.contains(request.getMethod());
    }

    private InvalidIdempotencyKeyException invalid(String operation, String problem, String next) {
        return new InvalidIdempotencyKeyException(operation, "The " + header(operation) + " header " + problem, next);
    }

    /** Adds the headers of keys to a CORS list of allowed request headers. */
    @Singleton
    record CorsHeaders(BeanProvider<HttpRequestKey> keys) implements BeanCreatedEventListener<CorsConfiguration> {

        @Override
        public CorsConfiguration onCreated(BeanCreatedEvent<CorsConfiguration> event) {
            CorsConfiguration cors = event.getBean();
            for (CorsOriginConfiguration origin : cors.getConfigurations().values()) {
                if (origin.getAllowedHeaders() != CorsOriginConfiguration.ANY) {
                    Set<String> names = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
                    names.addAll(origin.getAllowedHeaders());
                    names.add(keys.get().all);
                    names.addAll(keys.get().own.values());
                    origin.setAllowedHeaders(List.copyOf(names));
                }
            }
            return cors;
        }
    }
}
