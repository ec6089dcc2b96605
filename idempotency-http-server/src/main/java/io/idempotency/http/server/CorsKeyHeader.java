package io.idempotency.http.server;

import io.micronaut.context.BeanProvider;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.event.BeanCreatedEvent;
import io.micronaut.context.event.BeanCreatedEventListener;
import io.micronaut.http.server.HttpServerConfiguration;
import io.micronaut.http.server.cors.CorsOriginConfiguration;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.List;

/** Where an application lists the headers that other origins may send, the key is one of them. */
@Singleton
@Requires(classes = HttpServerConfiguration.class)
final class CorsKeyHeader implements BeanCreatedEventListener<HttpServerConfiguration.CorsConfiguration> {

    private final BeanProvider<HttpRequestKey> keys;

    CorsKeyHeader(BeanProvider<HttpRequestKey> keys) {
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
            List<String> more = new ArrayList<>(allowed);
            keys.get().headers().stream()
                    .filter(name -> allowed.stream().noneMatch(name::equalsIgnoreCase))
                    .forEach(more::add);
            origin.setAllowedHeaders(more);
        }
    }
}
