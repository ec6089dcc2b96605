package io.idempotency.runtime.config;

import io.idempotency.OtherCallers;
import io.idempotency.definition.KeySource;
import io.idempotency.definition.OperationDefinition;
import io.micronaut.context.BeanContext;
import io.micronaut.context.exceptions.ConfigurationException;
import io.micronaut.inject.qualifiers.Qualifiers;
import jakarta.inject.Singleton;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Merges what is configured and annotated about an operation's keys. */
@Singleton
public final class KeyPolicies {

    private final BeanContext context;
    private final IdempotencyConfiguration all;
    private final HttpKeyConfiguration http;
    private final Map<String, Scope> scopes = new ConcurrentHashMap<>();

    private record Scope(String origin, boolean isolated) {}

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
                otherCallers(definition, own));
    }

    /** A key that a client chose is that client's; one that the application chose names one thing, whoever asks for it. */
    private OtherCallers otherCallers(OperationDefinition definition, Optional<OperationConfiguration> own) {
        OtherCallers declared = definition.otherCallers();
        OtherCallers written = chosen(
                own,
                OperationConfiguration::getOtherCallers,
                declared == null ? standardCallers(definition) : declared);
        OtherCallers decided = written != OtherCallers.DEFAULT
                ? written
                : definition.clientsKey() ? OtherCallers.ISOLATE : OtherCallers.SHARE;
        if (definition.sharesKeys()) {
            requireOneScope(definition, decided == OtherCallers.ISOLATE);
        }
        return decided;
    }

    private OtherCallers standardCallers(OperationDefinition definition) {
        OtherCallers ofRequests = definition.clientsKey() ? http.getOtherCallers() : null;
        return ofRequests == null ? all.getOtherCallers() : ofRequests;
    }

    /** Only where the caller is part of all ids or of none does a key of one operation meet that of another. */
    private void requireOneScope(OperationDefinition definition, boolean isolated) {
        Scope scope = new Scope(definition.origin(), isolated);
        Scope first = scopes.putIfAbsent(definition.namespace(), scope);
        if (first != null && first.isolated() != isolated) {
            throw new ConfigurationException("Operations of the namespace '" + definition.namespace()
                    + "' share their keys, but " + (isolated ? scope : first).origin()
                    + " isolates its callers and " + (isolated ? first : scope).origin()
                    + " does not, so that one key would run both. No body ran. Write the same otherCallers on both (or "
                    + PolicyCheck.property(definition, "other-callers") + "), or give each a namespace of its own.");
        }
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
