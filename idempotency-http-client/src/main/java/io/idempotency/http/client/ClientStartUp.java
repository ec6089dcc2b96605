package io.idempotency.http.client;

import io.idempotency.runtime.config.PropertyValidator;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.env.Environment;
import io.micronaut.context.event.ApplicationEventListener;
import io.micronaut.context.event.StartupEvent;
import io.micronaut.core.annotation.AnnotationMetadata;
import io.micronaut.http.client.HttpClient;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/** Checks the configuration of clients while the application starts, so that a wrong property stops it there. */
@Singleton
@Requires(classes = HttpClient.class)
final class ClientStartUp implements ApplicationEventListener<StartupEvent> {

    private static final Map<String, Class<?>> OF_BOTH = Map.of(
            "retries", Integer.class,
            "delay", Duration.class,
            "max-delay", Duration.class,
            "header", String.class,
            "quoted", Boolean.class);

    private final PropertyValidator written;
    private final Environment environment;
    private final ClientPolicies policies;

    ClientStartUp(PropertyValidator written, Environment environment, ClientPolicies policies) {
        this.written = written;
        this.environment = environment;
        this.policies = policies;
    }

    @Override
    public void onApplicationEvent(StartupEvent event) {
        Map<String, Class<?>> ofAll = new HashMap<>(OF_BOTH);
        ofAll.put("methods", String.class);
        ofAll.put("multiplier", Double.class);
        ofAll.put("jitter", Double.class);
        ofAll.put("services", String.class);
        written.check(ClientConfiguration.PREFIX, ofAll);
        policies.retryOf(AnnotationMetadata.EMPTY_METADATA, "");
        Map<String, Class<?>> ofService = new HashMap<>(OF_BOTH);
        ofService.put("send-key", Boolean.class);
        for (String service : environment.getPropertyEntries(ServiceConfiguration.PREFIX)) {
            written.check(ServiceConfiguration.PREFIX + "." + service, ofService);
            policies.retryOf(AnnotationMetadata.EMPTY_METADATA, service);
        }
    }
}
