package io.idempotency.http.server;

import io.idempotency.runtime.CallerResolver;
import io.idempotency.runtime.secrets.IdentityDigests;
import io.micronaut.context.annotation.Secondary;
import io.micronaut.context.exceptions.ConfigurationException;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.context.ServerRequestContext;
import jakarta.inject.Singleton;
import java.security.Principal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Names the caller of the current request: the authenticated user, or else a digest of the request's credentials. */
@Singleton
@Secondary
final class HttpCallerResolver implements CallerResolver {

    /** Schemes that sign each attempt anew. Only the scheme's name counts, so all of its callers are one caller. */
    private static final Pattern SIGNED = Pattern.compile("(?i)^(negotiate|ntlm|aws|oss|goog1|sharedkey(lite)?)\\s"
            + "|^(?!sharedaccesssignature\\s).*[\\s,;&](response|(oauth_|q-)?signature|mac|sig|nonce)\\s*=\\s*\\S");

    private final IdentityDigests digests;
    private final List<String> headers;
    private final List<String> cookies;

    HttpCallerResolver(IdentityDigests digests, HttpConfiguration configuration) {
        this.digests = digests;
        boolean used = configuration.caller() == HttpConfiguration.Caller.CREDENTIALS;
        this.headers = sorted("caller-headers", used ? configuration.callerHeaders() : null);
        this.cookies = sorted("caller-cookies", used ? configuration.callerCookies() : null);
    }

    private static List<String> sorted(String property, @Nullable List<String> names) {
        List<String> all = names == null
                ? List.of()
                : names.stream().map(String::strip).sorted().toList();
        all.stream()
                .filter(name -> !HttpRequestKey.NAME.matcher(name).matches())
                .forEach(name -> {
                    throw new ConfigurationException(HttpConfiguration.PREFIX + "." + property + ": '" + name
                            + "' is not the name of a header or cookie; write the names as a list");
                });
        return all;
    }

    @Override
    public @Nullable String currentCaller() {
        return ServerRequestContext.currentRequest()
                .flatMap(request ->
                        request.getUserPrincipal().map(Principal::getName).or(() -> anonymous(request)))
                .orElse(null);
    }

    private Optional<String> anonymous(HttpRequest<?> request) {
        List<String> parts = new ArrayList<>();
        for (String name : headers) {
            request.getHeaders().getAll(name).forEach(value -> parts.addAll(part(name, value)));
        }
        for (String name : cookies) {
            request.getCookies()
                    .findCookie(name)
                    .ifPresent(cookie -> parts.addAll(List.of("cookie:" + name, cookie.getValue())));
        }
        // the prefix keeps digests apart from the names of authenticated users
        return parts.isEmpty() ? Optional.empty() : Optional.of("credentials:" + digests.digest("caller", parts));
    }

    private static List<String> part(String name, String value) {
        boolean signed = name.equalsIgnoreCase(HttpHeaders.AUTHORIZATION)
                && SIGNED.matcher(value).find();
        return signed
                ? List.of("scheme", value.strip().split("[\\s=]", 2)[0].toLowerCase(Locale.ROOT))
                : List.of("header:" + name.toLowerCase(Locale.ROOT), value);
    }
}
