package io.idempotency.http.client;

import io.idempotency.runtime.config.PropertyValidator;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.event.ApplicationEventListener;
import io.micronaut.context.event.StartupEvent;
import io.micronaut.core.annotation.AnnotationMetadata;
import io.micronaut.http.client.HttpClient;
import jakarta.inject.Singleton;
import java.util.Set;

/** Checks the configuration of clients while the application starts, so that a wrong property stops it there. */
@Singleton
@Requires(classes = HttpClient.class)
final class ClientStartUp implements ApplicationEventListener<StartupEvent> {

    private final PropertyValidator written;
    private final ClientPolicies policies;

    ClientStartUp(PropertyValidator written, ClientPolicies policies) {
        this.written = written;
        this.policies = policies;
    }

    @Override
    public void onApplicationEvent(StartupEvent event) {
        written.check(); // before a value that cannot be understood is taken for the default
        policies.retryOf(AnnotationMetadata.EMPTY_METADATA, "");
        for (Set<String> services : written.names(ServiceConfiguration.PREFIX)) {
            services.forEach(service -> policies.retryOf(AnnotationMetadata.EMPTY_METADATA, service));
        }
    }
}
