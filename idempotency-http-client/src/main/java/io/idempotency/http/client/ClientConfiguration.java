package io.idempotency.http.client;

import io.idempotency.runtime.Within;
import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.context.annotation.EachProperty;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.core.bind.annotation.Bindable;
import java.time.Duration;
import java.util.List;

/** The settings of every client that sends keys. */
@ConfigurationProperties(ClientConfiguration.PREFIX)
public interface ClientConfiguration {

    String PREFIX = "idempotency.http.client";

    /** The HTTP methods whose requests carry a key where a whole type is annotated or a service configured. */
    @Bindable(defaultValue = "POST,PATCH")
    List<String> getMethods();

    /** How often a request is sent again. */
    @Within(min = "0")
    @Bindable(defaultValue = "0")
    int getRetries();

    /** The delay before the first retry. */
    @Within(min = "1ms")
    @Bindable(defaultValue = "500ms")
    Duration getDelay();

    /** The longest delay. */
    @Within(min = "1ms")
    @Bindable(defaultValue = "30s")
    Duration getMaxDelay();

    /** By how much a delay is longer than the one before. */
    @Within(min = "1")
    @Bindable(defaultValue = "2.0")
    double getMultiplier();

    /** Which part of a delay is left to chance. */
    @Within(min = "0", max = "1")
    @Bindable(defaultValue = "0.5")
    double getJitter();

    /** The header that carries the key. */
    @Bindable(defaultValue = "Idempotency-Key")
    String getHeader();

    /** Whether the key stands in quotes, as the draft writes it. One that needs quotes has them anyway. */
    @Bindable(defaultValue = "false")
    boolean isQuoted();

    /** The settings of one {@code @Client} id. They override the annotations, but where they are null. */
    @EachProperty("services")
    interface OfService {

        String PREFIX = ClientConfiguration.PREFIX + ".services";

        /**
         * Whether every request of the service carries a key, also those of low-level clients that nothing is annotated
         * for: derived inside an operation, otherwise a new one.
         *
         * @return true to send one
         */
        @Nullable
        Boolean getSendKey();

        /** How often a request is sent again. */
        @Nullable
        @Within(min = "0")
        Integer getRetries();

        /** The delay before the first retry. */
        @Nullable
        @Within(min = "1ms")
        Duration getDelay();

        /** The longest delay. */
        @Nullable
        @Within(min = "1ms")
        Duration getMaxDelay();

        /** The header that carries the key. */
        @Nullable
        String getHeader();

        /** Whether the key stands in quotes. */
        @Nullable
        Boolean getQuoted();
    }
}
