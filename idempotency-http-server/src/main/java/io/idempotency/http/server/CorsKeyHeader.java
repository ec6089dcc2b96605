package io.idempotency.http.server;

import io.idempotency.runtime.http.IdempotencyHeaders;
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

    @Override
    public HttpServerConfiguration.CorsConfiguration onCreated(
            BeanCreatedEvent<HttpServerConfiguration.CorsConfiguration> event) {
        HttpServerConfiguration.CorsConfiguration cors = event.getBean();
        cors.getConfigurations().values().forEach(CorsKeyHeader::allowKey);
        return cors;
    }

    private static void allowKey(CorsOriginConfiguration origin) {
        List<String> allowed = origin.getAllowedHeaders();
        if (allowed != CorsOriginConfiguration.ANY
                && allowed.stream().noneMatch(IdempotencyHeaders.IDEMPOTENCY_KEY::equalsIgnoreCase)) {
            List<String> more = new ArrayList<>(allowed);
            more.add(IdempotencyHeaders.IDEMPOTENCY_KEY);
            origin.setAllowedHeaders(more);
        }
    }
}
