package io.idempotency.http.server;

import io.idempotency.InvalidIdempotencyKeyException;
import io.idempotency.Refusal;
import io.idempotency.runtime.KeyFormat;
import io.idempotency.runtime.RequestKeySource;
import io.micronaut.context.BeanProvider;
import io.micronaut.context.annotation.Context;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.event.BeanCreatedEvent;
import io.micronaut.context.event.BeanCreatedEventListener;
import io.micronaut.context.exceptions.ConfigurationException;
import io.micronaut.http.HttpMethod;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.context.ServerRequestContext;
import io.micronaut.http.server.HttpServerConfiguration;
import io.micronaut.http.server.cors.CorsOriginConfiguration;
import jakarta.inject.Singleton;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads the key of the current request from its header. Created at start-up, so that a wrong name
 * stops the application there.
 */
@Context
@Requires(classes = HttpRequest.class)
final class HttpRequestKey implements RequestKeySource {

    /** RFC 9110, section 9.2.1: they ask for no effect, so that there is nothing to protect. */
    private static final Set<HttpMethod> SAFE =
            EnumSet.of(HttpMethod.GET, HttpMethod.HEAD, HttpMethod.OPTIONS, HttpMethod.TRACE);

    /** RFC 9110, section 5.1. */
    static final Pattern NAME = Pattern.compile("[A-Za-z0-9!#$%&'*+.^_`|~-]+");

    /** Header fields with another meaning, the same for many requests. */
    private static final Pattern TAKEN = Pattern.compile(
            "accept|authorization|connection|content-length|content-type|cookie|host|origin|referer|user-agent",
            Pattern.CASE_INSENSITIVE);

    private final String all;
    private final Map<String, String> own = new HashMap<>();

    HttpRequestKey(HttpConfiguration configuration, List<OperationHttpConfiguration> operations) {
        all = checked(HttpConfiguration.PREFIX + ".header", configuration.getHeader());
        for (OperationHttpConfiguration operation : operations) {
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
        HttpRequest<?> request = ServerRequestContext.currentRequest().orElse(null);
        if (request == null) {
            return null;
        }
        String key;
        try {
            key = KeyHeader.parse(request.getHeaders().getAll(header(operation)));
        } catch (IllegalArgumentException e) {
            throw invalid(operation, "is malformed: " + e.getMessage(), Refusal.KEY_INVALID.next());
        }
        if (key == null) {
            return null;
        }
        if (!format.permits(key)) {
            throw invalid(operation, "is not " + format.description(), "Send " + format.description() + ".");
        }
        return format.canonical(key);
    }

    @Override
    public boolean wantsKey() {
        return ServerRequestContext.currentRequest()
                .map(request -> !isSafe(request))
                .orElse(true);
    }

    static boolean isSafe(HttpRequest<?> request) {
        return SAFE.contains(request.getMethod());
    }

    private InvalidIdempotencyKeyException invalid(String operation, String problem, String next) {
        return new InvalidIdempotencyKeyException(operation, "The " + header(operation) + " header " + problem, next);
    }

    /** Where an application lists the headers that other origins may send, the key is one of them. */
    @Singleton
    @Requires(classes = HttpServerConfiguration.class)
    static final class CorsHeaders implements BeanCreatedEventListener<HttpServerConfiguration.CorsConfiguration> {

        private final BeanProvider<HttpRequestKey> keys;

        CorsHeaders(BeanProvider<HttpRequestKey> keys) {
            this.keys = keys;
        }

        @Override
        public HttpServerConfiguration.CorsConfiguration onCreated(
                BeanCreatedEvent<HttpServerConfiguration.CorsConfiguration> event) {
            HttpServerConfiguration.CorsConfiguration cors = event.getBean();
            cors.getConfigurations().values().forEach(this::allowKeys);
            return cors;
        }

        private void allowKeys(CorsOriginConfiguration origin) {
            List<String> allowed = origin.getAllowedHeaders();
            if (allowed != CorsOriginConfiguration.ANY) {
                Set<String> names = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
                names.addAll(allowed);
                names.add(keys.get().all);
                names.addAll(keys.get().own.values());
                origin.setAllowedHeaders(List.copyOf(names));
            }
        }
    }
}
