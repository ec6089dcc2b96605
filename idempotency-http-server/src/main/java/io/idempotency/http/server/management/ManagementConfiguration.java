package io.idempotency.http.server.management;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.annotation.Nullable;
import java.util.List;

/** {@code idempotency.management.*}: who may use the endpoint {@code /idempotency}. */
@ConfigurationProperties("idempotency.management")
interface ManagementConfiguration {

    /** Where the roles are. */
    String ROLES = "idempotency.management.roles";

    /**
     * The roles whose callers may use the endpoint, where Micronaut Security guards the application.
     *
     * @return null when no caller may
     */
    @Nullable
    List<String> getRoles();
}
