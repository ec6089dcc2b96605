package io.idempotency.http.server;

import io.micronaut.context.annotation.Requires;
import io.micronaut.core.annotation.NonNull;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.http.HttpRequest;
import io.micronaut.security.authentication.AuthenticationRequest;
import io.micronaut.security.authentication.AuthenticationResponse;
import io.micronaut.security.authentication.provider.HttpRequestAuthenticationProvider;
import jakarta.inject.Singleton;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Users by name, whose password is their name, with roles that a test can take away. */
@Singleton
@Requires(property = "test.secured")
class Users<B> implements HttpRequestAuthenticationProvider<B> {

    final Map<String, Set<String>> roles = new ConcurrentHashMap<>();

    @Override
    public @NonNull AuthenticationResponse authenticate(
            @Nullable HttpRequest<B> request, @NonNull AuthenticationRequest<String, String> asked) {
        Set<String> known = roles.get(asked.getIdentity());
        return known != null && asked.getIdentity().equals(asked.getSecret())
                ? AuthenticationResponse.success(asked.getIdentity(), known)
                : AuthenticationResponse.failure();
    }
}
