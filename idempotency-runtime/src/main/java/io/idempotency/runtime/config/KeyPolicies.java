package io.idempotency.runtime.config;

import io.idempotency.definition.KeySource;
import io.idempotency.definition.OperationDefinition;
import io.micronaut.context.BeanContext;
import io.micronaut.inject.qualifiers.Qualifiers;
import jakarta.inject.Singleton;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Merges what is configured and annotated about an operation's keys. */
@Singleton
public final class KeyPolicies {

    private final BeanContext context;
    private final IdempotencyConfiguration all;
    private final HttpKeyConfiguration http;

    KeyPolicies(BeanContext context, IdempotencyConfiguration all, HttpKeyConfiguration http) {
        this.context = context;
        this.all = all;
        this.http = http;
    }

    /**
     * The policy of an operation.
     *
     * @param definition the operation
     * @return every policy
     */
    public KeyPolicy of(OperationDefinition definition) {
        Optional<OperationConfiguration> own =
                context.findBean(OperationConfiguration.class, Qualifiers.byName(definition.name()));
        Boolean declared = definition.keyRequired();
        return new KeyPolicy(
                chosen(own, OperationConfiguration::getKeyRequired, declared == null ? standard(definition) : declared),
                chosen(own, OperationConfiguration::getKeyFormat, all.getKeyFormat()),
                chosen(own, OperationConfiguration::getOtherCallers, all.getOtherCallers()));
    }

    /** Requests may be held to another rule than calls inside the application. */
    private boolean standard(OperationDefinition definition) {
        Boolean ofRequests = definition.keySource() == KeySource.HEADER ? http.getKeyRequired() : null;
        return ofRequests == null ? all.isKeyRequired() : ofRequests;
    }

    private static <T> T chosen(
            Optional<OperationConfiguration> own, Function<OperationConfiguration, @Nullable T> attribute, T standard) {
        T written = own.isPresent() ? attribute.apply(own.get()) : null;
        return written == null ? standard : written;
    }
}
