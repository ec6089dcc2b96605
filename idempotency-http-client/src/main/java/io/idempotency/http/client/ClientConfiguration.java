package io.idempotency.http.client;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import java.time.Duration;
import java.util.List;

/** {@code idempotency.http.client.*}: what applies to every client that sends keys. */
@ConfigurationProperties(ClientConfiguration.PREFIX)
public interface ClientConfiguration {

    /** Where the properties are. */
    String PREFIX = "idempotency.http.client";

    /** The HTTP methods whose requests carry a key where a whole type is annotated or a service configured. */
    @Bindable(defaultValue = "POST,PATCH")
    List<String> getMethods();

    /** How often a request is sent again. */
    @Bindable(defaultValue = "0")
    int getRetries();

    /** The delay before the first retry. */
    @Bindable(defaultValue = "500ms")
    Duration getDelay();

    /** The longest delay. */
    @Bindable(defaultValue = "30s")
    Duration getMaxDelay();

    /** By how much a delay is longer than the one before. */
    @Bindable(defaultValue = "2.0")
    double getMultiplier();

    /** Which part of a delay is left to chance. */
    @Bindable(defaultValue = "0.5")
    double getJitter();

    /** The header that carries the key. */
    @Bindable(defaultValue = "Idempotency-Key")
    String getHeader();

    /** Whether the key stands in quotes, as the draft writes it. One that needs quotes has them anyway. */
    @Bindable(defaultValue = "false")
    boolean isQuoted();
}
