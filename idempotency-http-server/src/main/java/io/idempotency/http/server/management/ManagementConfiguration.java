package io.idempotency.http.server.management;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.core.bind.annotation.Bindable;
import java.util.List;

/** {@code idempotency.management.*}: who may use the endpoint {@code /idempotency}, and its page. */
@ConfigurationProperties("idempotency.management")
interface ManagementConfiguration {

    /** Where the roles are. */
    String ROLES = "idempotency.management.roles";

    /** Where the page is switched on. */
    String UI = "idempotency.management.ui: true";

    /**
     * The roles whose callers may use the endpoint, where Micronaut Security guards the application.
     *
     * @return null when no caller may
     */
    @Nullable
    List<String> getRoles();

    /** Whether the application serves the operator's page {@code /idempotency/ui}, to those who may use the endpoint. */
    @Bindable(defaultValue = "false")
    boolean isUi();
}
