package io.idempotency.http.server;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;

/** {@code idempotency.http.*} as far as it is about the header that carries the key. */
@ConfigurationProperties("idempotency.http")
interface KeyHeaderConfiguration {

    /** Where it is written. */
    String PROPERTY = "idempotency.http.header";

    /**
     * The header field that carries the key.
     *
     * @return Idempotency-Key unless configured
     */
    @Bindable(defaultValue = "Idempotency-Key")
    String getHeader();
}
