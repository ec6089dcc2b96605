package io.idempotency.runtime.config;

import io.idempotency.MissingIdempotencyKeyException;
import io.idempotency.OtherCallers;
import io.idempotency.definition.KeySource;
import io.idempotency.definition.OperationDefinition;
import io.idempotency.runtime.CallerResolver;
import io.idempotency.runtime.KeyFormat;
import io.micronaut.context.BeanProvider;
import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.annotation.Nullable;
import jakarta.inject.Singleton;

/**
 * The decided policies of an operation's keys.
 *
 * @param required whether a call without a key is refused
 * @param otherCallers what a key means when another caller uses it too; never {@link OtherCallers#DEFAULT}
 * @param maxNewKeys how many new keys a node claims in the configured window; 0 for no limit
 */
public record KeyPolicy(
        boolean required, KeyFormat format, OtherCallers otherCallers, int maxNewKeys, int maxNewKeysPerCaller) {

    /** Returns the refusal of a call without a key that has to have one; {@code what} is missing, and to be passed. */
    public static MissingIdempotencyKeyException missing(String operation, String what) {
        String property = OperationAttributes.property(operation, "key-required");
        return new MissingIdempotencyKeyException(
                operation,
                null,
                what + ", or set keyRequired = false (" + property + ") to run such calls unprotected.",
                null);
    }

    /** Merges the configured and annotated policies of an operation's keys. */
    @Singleton
    record Merger(OperationAttributes attributes, OfHttp http, BeanProvider<CallerResolver> callers) {

        KeyPolicy of(OperationDefinition definition) {
            // requests may have other defaults than calls inside the application
            return new KeyPolicy(
                    attributes.of(
                            definition,
                            "key-required",
                            PolicyConfiguration::getKeyRequired,
                            definition.keySource() == KeySource.HEADER ? http.getKeyRequired() : null),
                    attributes.of(definition, "key-format", PolicyConfiguration::getKeyFormat),
                    otherCallers(definition),
                    attributes.of(definition, "max-new-keys", PolicyConfiguration::getMaxNewKeys),
                    perCaller(definition));
        }

        private int perCaller(OperationDefinition definition) {
            String attribute = "max-new-keys-per-caller";
            int most = attributes.of(definition, attribute, PolicyConfiguration::getMaxNewKeysPerCaller);
            OperationAttributes.require(
                    definition,
                    attribute,
                    most == 0 || callers.isPresent(),
                    "nothing here tells callers apart, so it would limit all of them together. Declare a CallerResolver bean, or"
                            + " use max-new-keys");
            return most;
        }

        /** By default a client's own key belongs to that client, and an application's key is common to all callers. */
        private OtherCallers otherCallers(OperationDefinition definition) {
            OtherCallers written = attributes.of(
                    definition,
                    "other-callers",
                    PolicyConfiguration::getOtherCallers,
                    definition.clientsKey() ? http.getOtherCallers() : null);
            return written != OtherCallers.DEFAULT
                    ? written
                    : definition.clientsKey() ? OtherCallers.ISOLATE : OtherCallers.SHARE;
        }
    }

    /** {@code idempotency.http.*} as far as it is about the keys of requests. */
    @ConfigurationProperties(IdempotencyConfiguration.PREFIX + ".http")
    interface OfHttp {

        /**
         * Whether a request without an Idempotency-Key is refused, for operations whose key is that header; left out,
         * {@code idempotency.key-required} counts.
         */
        @Nullable
        Boolean getKeyRequired();

        /**
         * What a key means when another caller uses it too, for operations whose key a client chose in a header; left out,
         * {@code idempotency.other-callers} counts.
         */
        @Nullable
        OtherCallers getOtherCallers();
    }
}
