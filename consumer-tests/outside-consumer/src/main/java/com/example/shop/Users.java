package com.example.shop;

import io.micronaut.core.annotation.Nullable;
import io.micronaut.http.HttpRequest;
import io.micronaut.security.authentication.AuthenticationRequest;
import io.micronaut.security.authentication.AuthenticationResponse;
import io.micronaut.security.authentication.provider.HttpRequestAuthenticationProvider;
import jakarta.inject.Singleton;

/** Knows everybody whose password is the name. */
@Singleton
class Users<B> implements HttpRequestAuthenticationProvider<B> {

    @Override
    public AuthenticationResponse authenticate(
            @Nullable HttpRequest<B> request, AuthenticationRequest<String, String> credentials) {
        return credentials.getIdentity().equals(credentials.getSecret())
                ? AuthenticationResponse.success(credentials.getIdentity())
                : AuthenticationResponse.failure();
    }
}
