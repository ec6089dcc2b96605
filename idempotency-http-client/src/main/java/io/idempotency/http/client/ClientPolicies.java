package io.idempotency.http.client;

import io.idempotency.SendsIdempotencyKey;
import io.idempotency.http.client.ClientConfiguration.OfService;
import io.idempotency.runtime.config.PropertyValidator;
import io.micronaut.context.BeanContext;
import io.micronaut.context.event.ApplicationEventListener;
import io.micronaut.context.event.StartupEvent;
import io.micronaut.context.exceptions.ConfigurationException;
import io.micronaut.core.annotation.AnnotationMetadata;
import io.micronaut.core.convert.ConversionService;
import io.micronaut.inject.qualifiers.Qualifiers;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Stream;

/** Merges, by precedence, the configuration of a service, the annotation, and the configuration of all clients. */
@Singleton
final class ClientPolicies implements ApplicationEventListener<StartupEvent> {

    private final BeanContext context;
    private final ClientConfiguration all;
    private final ConversionService conversion;
    private final RemoteRefusals refusals;
    private final PropertyValidator written;
    private final Map<String, Service> services = new ConcurrentHashMap<>();
    private final Map<List<String>, RetryPolicy> policies = new ConcurrentHashMap<>();

    ClientPolicies(
            BeanContext context,
            ClientConfiguration all,
            ConversionService conversion,
            RemoteRefusals refusals,
            PropertyValidator written) {
        this.refusals = refusals;
        this.written = written;
        this.context = context;
        this.all = all;
        this.conversion = conversion;
    }

    /** Refuses delays that contradict each other; the runtime checks each property by itself. */
    @Override
    public void onApplicationEvent(StartupEvent event) {
        retryOf(AnnotationMetadata.EMPTY_METADATA, "");
        for (Set<String> names : written.names(OfService.PREFIX)) {
            names.forEach(service -> retryOf(AnnotationMetadata.EMPTY_METADATA, service));
        }
    }

    /** How the requests of a service carry keys. */
    record Service(String header, boolean quoted, boolean sendsKey) {

        /** Returns the header's value: the bare key, which nearly every server reads, unless it must be in quotes. */
        String text(String key) {
            boolean bare = key.chars().noneMatch(c -> " ,;\"\\".indexOf(c) >= 0);
            return bare && !quoted ? key : '"' + key.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
        }
    }

    Service service(String id) {
        return services.computeIfAbsent(
                id,
                unknown -> new Service(
                        chosen(id, OfService::getHeader).orElse(all.getHeader()),
                        chosen(id, OfService::getQuoted).orElse(all.isQuoted()),
                        chosen(id, OfService::getSendKey).orElse(false)));
    }

    /** Tells whether requests of an HTTP method carry keys without an annotation on the method itself. */
    boolean carriesKey(String httpMethod) {
        return all.getMethods().stream().map(String::strip).anyMatch(httpMethod::equalsIgnoreCase);
    }

    /** Keeps it for what is written, because a method is equal for all clients that inherit it. */
    RetryPolicy retryOfMethod(AnnotationMetadata method, String service) {
        Stream<String> attributes = Stream.of("retries", "delay", "maxDelay")
                .map(name -> method.stringValue(SendsIdempotencyKey.class, name).orElse(""));
        List<String> written = Stream.concat(Stream.of(service), attributes).toList();
        return policies.computeIfAbsent(written, unknown -> retryOf(method, service));
    }

    private RetryPolicy retryOf(AnnotationMetadata method, String service) {
        RetryPolicy policy = new RetryPolicy(
                refusals,
                chosen(service, OfService::getRetries)
                        .or(() -> written(method, "retries", Integer.class))
                        .orElse(all.getRetries()),
                chosen(service, OfService::getDelay)
                        .or(() -> written(method, "delay", Duration.class))
                        .orElse(all.getDelay()),
                chosen(service, OfService::getMaxDelay)
                        .or(() -> written(method, "maxDelay", Duration.class))
                        .orElse(all.getMaxDelay()),
                all.getMultiplier(),
                all.getJitter());
        if (policy.delay().compareTo(policy.maxDelay()) > 0) {
            String place = service.isEmpty() ? ClientConfiguration.PREFIX : OfService.PREFIX + "." + service;
            throw new ConfigurationException("The retries of a client that sends idempotency keys: max-delay: "
                    + policy.maxDelay() + " is shorter than the delay " + policy.delay()
                    + ". Change it in @SendsIdempotencyKey or as " + place + ".max-delay.");
        }
        return policy;
    }

    private <T> Optional<T> written(AnnotationMetadata method, String attribute, Class<T> type) {
        return method.stringValue(SendsIdempotencyKey.class, attribute)
                .map(text -> conversion
                        .convert(text, type)
                        .orElseThrow(() -> new ConfigurationException("@SendsIdempotencyKey(" + attribute + "): '"
                                + text + "' is not a " + type.getSimpleName() + ", for instance "
                                + (type == Duration.class ? "500ms" : "3"))));
    }

    private <T> Optional<T> chosen(String service, Function<OfService, T> property) {
        return context.findBean(OfService.class, Qualifiers.byName(service)).map(property);
    }
}
