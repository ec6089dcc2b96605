package io.idempotency.http.server;

import io.idempotency.runtime.CallerResolver;
import io.idempotency.runtime.secrets.IdentityDigests;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.annotation.Secondary;
import io.micronaut.context.exceptions.ConfigurationException;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.context.ServerRequestContext;
import io.micronaut.http.cookie.Cookie;
import jakarta.inject.Singleton;
import java.security.Principal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Returns the authenticated user of the current request; without one, a digest of the credentials
 * that it carries. The credentials themselves are neither kept nor logged, and not verified here: what
 * guards the route does that.
 */
@Singleton
@Secondary
@Requires(classes = HttpRequest.class)
final class HttpCallerResolver implements CallerResolver {

    /** So that no name of an authenticated caller is taken for a digest by chance. */
    private static final String KIND = "credentials:";

    private static final String CALLER = HttpConfiguration.PREFIX + ".caller";

    /**
     * Schemes that sign each request, so that the next attempt of the same caller looks different.
     * Their callers count as one: otherwise an attempt would be taken for another caller's and run again.
     */
    private static final Pattern SIGNED =
            Pattern.compile("(?i)^(negotiate|ntlm)\\s|[\\s,](response|(oauth_)?signature|mac|sig|nonce)\\s*=\\s*\\S");

    private static final Pattern SPACE = Pattern.compile("\\s");

    private final IdentityDigests digests;
    private final boolean byCredentials;
    private final List<String> headers;
    private final List<String> cookies;

    HttpCallerResolver(IdentityDigests digests, HttpConfiguration configuration) {
        this.digests = digests;
        this.byCredentials = byCredentials(configuration.getCaller());
        this.headers = sorted(configuration.getCallerHeaders());
        this.cookies = sorted(configuration.getCallerCookies());
    }

    /** The order in which they are written makes no other caller. */
    private static List<String> sorted(@Nullable List<String> names) {
        return names == null ? List.of() : names.stream().sorted().toList();
    }

    private static boolean byCredentials(@Nullable String written) {
        return switch (written == null ? "credentials" : written.trim().toLowerCase(Locale.ROOT)) {
            case "credentials" -> true;
            case "none" -> false;
            default ->
                throw new ConfigurationException(CALLER + ": '" + written
                        + "' is not known. Write credentials, or none where callers share keys.");
        };
    }

    @Override
    public @Nullable String currentCaller() {
        HttpRequest<?> request = ServerRequestContext.currentRequest().orElse(null);
        if (request == null) {
            return null;
        }
        String user = request.getUserPrincipal().map(Principal::getName).orElse(null);
        return user == null && byCredentials ? anonymous(request) : user;
    }

    /** Null for a caller without credentials. */
    private @Nullable String anonymous(HttpRequest<?> request) {
        List<String> parts = new ArrayList<>();
        for (String name : headers) {
            request.getHeaders().getAll(name).forEach(value -> add(parts, name, value));
        }
        for (String name : cookies) {
            request.getCookies().findCookie(name).map(Cookie::getValue).ifPresent(value -> {
                parts.add("cookie:" + name);
                parts.add(value);
            });
        }
        return parts.isEmpty() ? null : KIND + digests.digest("caller", parts);
    }

    /** Of credentials that are made for one request only the scheme is the same with the next attempt. */
    private static void add(List<String> parts, String name, String value) {
        if (name.equalsIgnoreCase(HttpHeaders.AUTHORIZATION)
                && SIGNED.matcher(value).find()) {
            parts.add("scheme");
            parts.add(SPACE.split(value.strip(), 2)[0].toLowerCase(Locale.ROOT));
            return;
        }
        parts.add("header:" + name.toLowerCase(Locale.ROOT));
        parts.add(value);
    }
}
