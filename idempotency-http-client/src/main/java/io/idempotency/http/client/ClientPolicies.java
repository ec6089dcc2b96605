package io.idempotency.http.client;

import io.idempotency.SendsIdempotencyKey;
import io.idempotency.runtime.config.PropertyValidator;
import io.micronaut.context.BeanContext;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.event.ApplicationEventListener;
import io.micronaut.context.event.StartupEvent;
import io.micronaut.context.exceptions.ConfigurationException;
import io.micronaut.core.annotation.AnnotationMetadata;
import io.micronaut.core.convert.ConversionService;
import io.micronaut.http.client.HttpClient;
import io.micronaut.inject.qualifiers.Qualifiers;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/** Merges the configuration of one service, an annotation and the configuration of all, and checks the result. */
@Singleton
@Requires(classes = HttpClient.class)
final class ClientPolicies implements ApplicationEventListener<StartupEvent> {

    private final BeanContext context;
    private final ClientConfiguration all;
    private final ConversionService conversion;
    private final RemoteRefusals refusals;
    private final PropertyValidator written;
    private final Map<String, Service> services = new ConcurrentHashMap<>();

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

    /** Checks the configuration while the application starts, so that a wrong property stops it there. */
    @Override
    public void onApplicationEvent(StartupEvent event) {
        written.check(); // before a value that cannot be understood is taken for the default
        retryOf(AnnotationMetadata.EMPTY_METADATA, "");
        for (Set<String> names : written.names(ServiceConfiguration.PREFIX)) {
            names.forEach(service -> retryOf(AnnotationMetadata.EMPTY_METADATA, service));
        }
    }

    /**
     * What is the same for every request of a service.
     *
     * @param header the header that carries the key
     * @param quoted whether the key stands in quotes
     * @param sendsKey whether each of them carries one
     */
    record Service(String header, boolean quoted, boolean sendsKey) {

        /** A key as the header carries it: bare, as nearly every server reads it, unless it needs quotes. */
        String text(String key) {
            boolean bare = key.chars().noneMatch(c -> c == ' ' || c == ',' || c == '"' || c == '\\');
            return bare && !quoted ? key : '"' + key.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
        }
    }

    /** The settings of a service, asked for with every request. */
    Service service(String id) {
        Service known = services.get(id);
        return known != null ? known : services.computeIfAbsent(id, this::configured);
    }

    private Service configured(String id) {
        return new Service(
                chosen(id, ServiceConfiguration::getHeader).orElse(all.getHeader()),
                chosen(id, ServiceConfiguration::getQuoted).orElse(all.isQuoted()),
                chosen(id, ServiceConfiguration::getSendKey).orElse(false));
    }

    /** Whether requests of an HTTP method carry keys unless an annotation says more. */
    boolean carriesKey(String httpMethod) {
        return all.getMethods().contains(httpMethod);
    }

    RetryPolicy retryOf(AnnotationMetadata method, String service) {
        OptionalInt retries = method.intValue(SendsIdempotencyKey.class, "retries");
        return checked(
                service,
                new RetryPolicy(
                        refusals,
                        chosen(service, ServiceConfiguration::getRetries)
                                .orElse(retries.isPresent() ? retries.getAsInt() : all.getRetries()),
                        chosen(service, ServiceConfiguration::getDelay)
                                .or(() -> duration(method, "delay"))
                                .orElse(all.getDelay()),
                        chosen(service, ServiceConfiguration::getMaxDelay)
                                .or(() -> duration(method, "maxDelay"))
                                .orElse(all.getMaxDelay()),
                        all.getMultiplier(),
                        all.getJitter()));
    }

    private Optional<Duration> duration(AnnotationMetadata method, String attribute) {
        return method.stringValue(SendsIdempotencyKey.class, attribute)
                .map(text -> conversion
                        .convert(text, Duration.class)
                        .orElseThrow(() -> new ConfigurationException("@SendsIdempotencyKey(" + attribute + "): '"
                                + text + "' is not a duration like 500ms or 30s")));
    }

    private <T> Optional<T> chosen(String service, Function<ServiceConfiguration, T> property) {
        return context.findBean(ServiceConfiguration.class, Qualifiers.byName(service))
                .map(property);
    }

    private static RetryPolicy checked(String service, RetryPolicy policy) {
        Duration delay = policy.delay();
        Duration longest = policy.maxDelay();
        double jitter = policy.jitter();
        require(policy.retries() >= 0, service, "retries", policy.retries() + " is negative");
        require(delay.compareTo(Duration.ZERO) > 0, service, "delay", delay + " is not positive");
        require(delay.compareTo(longest) <= 0, service, "max-delay", longest + " is shorter than the delay " + delay);
        require(policy.multiplier() >= 1, service, "multiplier", policy.multiplier() + " is less than 1");
        require(jitter >= 0 && jitter <= 1, service, "jitter", jitter + " is not between 0 and 1");
        return policy;
    }

    private static void require(boolean fulfilled, String service, String property, String problem) {
        if (!fulfilled) {
            throw new ConfigurationException("The retries of a client that sends idempotency keys"
                    + (service.isEmpty() ? "" : " ('" + service + "')") + ": " + property + ": " + problem
                    + ". Change it in @SendsIdempotencyKey or as " + ClientConfiguration.PREFIX + "." + property
                    + (service.isEmpty()
                            ? "."
                            : ", or as " + ServiceConfiguration.PREFIX + "." + service + "." + property + "."));
        }
    }
}
