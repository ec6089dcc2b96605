package io.idempotency.http.server.management;

import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.exceptions.HttpStatusException;
import io.micronaut.management.endpoint.annotation.Endpoint;
import io.micronaut.security.authentication.Authentication;
import io.micronaut.security.rules.IpPatternsRule;
import io.micronaut.security.rules.SecurityRule;
import io.micronaut.security.rules.SecurityRuleResult;
import io.micronaut.security.token.RolesFinder;
import io.micronaut.web.router.RouteAttributes;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;

/**
 * Admits to {@code /idempotency} only callers with a role in {@code idempotency.management.roles}. Decides before URL
 * maps, which might let every authenticated customer settle records, and after the list of permitted addresses.
 */
@Singleton
@Requires(classes = {SecurityRule.class, Endpoint.class})
record OperatorRule(OperatorPage.Configuration configuration, RolesFinder finder)
        implements SecurityRule<HttpRequest<?>> {

    @Override
    public int getOrder() {
        return IpPatternsRule.ORDER + 1;
    }

    /** Rejected callers are answered 401 when they are not authenticated, otherwise 403. */
    @Override
    public Publisher<SecurityRuleResult> check(HttpRequest<?> request, @Nullable Authentication caller) {
        boolean endpoint = RouteAttributes.getRouteInfo(request)
                .flatMap(route -> route.getAnnotationMetadata().stringValue(Endpoint.class))
                .filter(IdempotencyEndpoint.ID::equals)
                .isPresent();
        if (!endpoint) {
            return Mono.just(SecurityRuleResult.UNKNOWN);
        }
        List<String> roles = Objects.requireNonNullElse(configuration.roles(), List.of());
        if (caller != null && roles.isEmpty()) {
            return Mono.error(new HttpStatusException(
                    HttpStatus.FORBIDDEN,
                    "No role may use this endpoint yet. Set idempotency.management.roles to the roles of operators."));
        }
        return Mono.just(
                caller != null && finder.hasAnyRequiredRoles(roles, caller.getRoles())
                        ? SecurityRuleResult.ALLOWED
                        : SecurityRuleResult.REJECTED);
    }
}
