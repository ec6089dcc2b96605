package io.idempotency.http.server.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idempotency.runtime.call.Operation;
import io.micronaut.context.ApplicationContext;
import io.micronaut.context.env.MapPropertySource;
import io.micronaut.context.env.PropertySource;
import io.micronaut.http.HttpMethod;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Configured routes and environment variables, in which the dashes of a name cannot be told from its end. */
class RouteVariablesTest {

    private static ApplicationContext with(Map<String, Object> file, Map<String, Object> variables) {
        return ApplicationContext.builder()
                .propertySources(PropertySource.of("file", file, -1000), new MapPropertySource("variables", variables) {
                    @Override
                    public PropertyConvention getConvention() {
                        return PropertyConvention.ENVIRONMENT_VARIABLE;
                    }
                })
                .start();
    }

    @Test
    void aVariableChangesOneRouteAndAddsNone() {
        try (ApplicationContext context = with(
                Map.of("idempotency.http.routes.create-order.path", "/orders"),
                Map.of(
                        "IDEMPOTENCY_HTTP_ROUTES_CREATE_ORDER_METHODS", "PUT",
                        "IDEMPOTENCY_OPERATIONS_CREATE_ORDER_LEASE", "60s"))) {
            Routes routes = context.getBean(Routes.class);
            assertThat(routes.operations()).extracting(Operation::name).containsExactly("create-order");
            assertThat(routes.methods()).containsExactly(HttpMethod.PUT);
            assertThat(routes.operations().iterator().next().policy().lease()).hasSeconds(60);
        }
    }

    @Test
    void aVariableAloneGivesARouteOfOneWord() {
        try (ApplicationContext context = with(Map.of(), Map.of("IDEMPOTENCY_HTTP_ROUTES_ORDERS_PATH", "/orders"))) {
            assertThat(context.getBean(Routes.class).operations())
                    .extracting(Operation::name)
                    .containsExactly("orders");
        }
    }

    @Test
    void aRouteThatNothingWouldProtectStopsTheStart() {
        assertThatThrownBy(() -> with(Map.of(), Map.of("IDEMPOTENCY_HTTP_ROUTES_CREATE_ORDER_PATH", "/orders"))
                        .close())
                .hasStackTraceContaining("IDEMPOTENCY_HTTP_ROUTES_CREATE_ORDER_PATH")
                .hasStackTraceContaining("[idempotency.http.routes.create-order.path]")
                .hasStackTraceContaining("cannot add a name with a dash");
    }
}
