package io.idempotency.http.server.route;

import io.idempotency.definition.FingerprintWriter;
import io.idempotency.definition.KeySource;
import io.idempotency.definition.OperationDefinition;
import io.micronaut.core.type.Argument;
import io.micronaut.http.HttpResponse;
import org.jspecify.annotations.Nullable;

/** A configured route in place of an annotated method: no policy is declared, so all of them are configured. */
record RouteDefinition(String name) implements OperationDefinition {

    @Override
    public String origin() {
        return RouteConfiguration.PREFIX + "." + name;
    }

    @Override
    public KeySource keySource() {
        return KeySource.HEADER;
    }

    @Override
    public void fingerprint(@Nullable Object[] arguments, FingerprintWriter writer) {
        throw new UnsupportedOperationException("A route has a request and no arguments");
    }

    @Override
    public Argument<?> resultType() {
        return Argument.of(HttpResponse.class, byte[].class);
    }
}
