package io.idempotency.http.server.route;

import io.idempotency.MissingIdempotencyKeyException;
import io.idempotency.definition.CanonicalKey;
import io.idempotency.runtime.OutcomeListener;
import io.idempotency.runtime.RequestKeySource;
import io.idempotency.runtime.config.KeyScope;
import io.idempotency.runtime.engine.CallFingerprint;
import io.idempotency.runtime.engine.IdempotencyEngine;
import io.idempotency.runtime.engine.Invocation;
import io.idempotency.runtime.engine.Listeners;
import io.idempotency.runtime.engine.UnprotectedContext;
import io.idempotency.runtime.secrets.FingerprintForms;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.order.Ordered;
import io.micronaut.core.propagation.MutablePropagatedContext;
import io.micronaut.core.propagation.PropagatedContext;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.RequestFilter;
import io.micronaut.http.annotation.ResponseFilter;
import io.micronaut.http.context.ServerRequestContext;
import io.micronaut.web.router.RouteAttributes;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Claims the key of a request to a configured route, lets the rest of the filters and the route answer it, and records
 * that answer; or replays a recorded one, or refuses. It stands behind every other filter unless configured, so that whoever
 * one of them refuses gets that refusal and never a recorded answer. {@link RouteFilters} registers it.
 */
@Singleton
@Requires(beans = Routes.class)
final class RouteFilter implements Ordered {

    /** On a request that came here. */
    static final String SEEN = "io.idempotency.route";

    /** Of Micronaut's management, which need not be there. */
    private static final String ENDPOINT = "io.micronaut.management.endpoint.annotation.Endpoint";

    private final Routes routes;
    private final RequestKeySource requestKey;
    private final KeyScope scope;
    private final FingerprintForms forms;
    private final IdempotencyEngine engine;
    private final RouteResponses responses;
    private final @Nullable RefusedArguments arguments;
    private final List<OutcomeListener> listeners;
    private final int order;

    RouteFilter(
            Routes routes,
            RequestKeySource requestKey,
            KeyScope scope,
            FingerprintForms forms,
            IdempotencyEngine engine,
            RouteResponses responses,
            @io.micronaut.core.annotation.Nullable RefusedArguments arguments,
            List<OutcomeListener> listeners,
            FilterOrderConfiguration place) {
        this.routes = routes;
        this.requestKey = requestKey;
        this.scope = scope;
        this.forms = forms;
        this.engine = engine;
        this.responses = responses;
        this.arguments = arguments;
        this.listeners = List.copyOf(listeners);
        this.order = place.getFilterOrder();
    }

    @Override
    public int getOrder() {
        return order;
    }

    /**
     * Null or empty when the request may go on. A filter in front may have changed the path, which does not change where the
     * request goes: then the path that was sent decides.
     */
    @RequestFilter
    @io.micronaut.core.annotation.Nullable
    CompletionStage<Optional<HttpResponse<?>>> claim(HttpRequest<?> request, MutablePropagatedContext context) {
        Route route = routes.of(request)
                .or(() -> ServerRequestContext.currentRequest().flatMap(routes::of))
                .orElse(null);
        if (route == null) {
            return null;
        }
        request.setAttribute(SEEN, true);
        // most routes are configured by their very path, and need not be asked what they are
        return !route.names(request.getPath()) && isEndpoint(request) ? null : claim(route, request, context);
    }

    /** Operators have no keys: a pattern as wide as the application means its own routes. A path that is written out means what it says. */
    private static boolean isEndpoint(HttpRequest<?> request) {
        return RouteAttributes.getRouteInfo(request)
                .filter(route -> route.getAnnotationMetadata().hasStereotype(ENDPOINT))
                .isPresent();
    }

    private @Nullable CompletionStage<Optional<HttpResponse<?>>> claim(
            Route route, HttpRequest<?> request, MutablePropagatedContext context) {
        String key = key(route);
        if (key == null) {
            String operation = route.operation().name();
            Listeners.tell(listeners, operation, listener -> listener.onUnprotected(operation));
            context.add(new UnprotectedContext(operation));
            return null;
        }
        RouteCall call = new RouteCall(route, request, responses, arguments, order == LOWEST_PRECEDENCE);
        context.add(call.context());
        PropagatedContext caller = PropagatedContext.getOrEmpty();
        CompletionStage<Optional<HttpResponse<?>>> begun = RequestFingerprint.of(request, forms, route.canonicalJson())
                .thenCompose(fingerprint -> {
                    try (PropagatedContext.Scope ignored = caller.propagate()) {
                        start(call, route, caller, identified(route, key, fingerprint));
                        return call.beginning();
                    }
                });
        return RouteCall.goesOn(begun) ? null : begun;
    }

    private void start(RouteCall call, Route route, PropagatedContext caller, KeyScope.Scoped scoped) {
        long start = System.nanoTime();
        Invocation invocation = new Invocation(
                route.operation(),
                scoped.id(),
                scoped.fingerprint(),
                call::run,
                null,
                null,
                false,
                scoped.admission(),
                null);
        engine.executeAsync(invocation).whenComplete((outcome, defect) -> {
            try (PropagatedContext.Scope ignored = caller.propagate()) {
                if (outcome != null) {
                    Listeners.tell(invocation, start, outcome, listeners);
                }
                call.ended(outcome, defect);
            }
        });
    }

    /**
     * Comes after every filter behind this one, so that what they did to the answer is recorded too; null for what is sent as
     * it is. The call is looked up in the context because a filter may replace the request.
     */
    @ResponseFilter
    @io.micronaut.core.annotation.Nullable
    CompletionStage<Optional<HttpResponse<?>>> record(HttpResponse<?> response) {
        RouteCall call = PropagatedContext.getOrEmpty()
                .find(RouteContext.class)
                .map(RouteContext::call)
                .orElse(null);
        return call != null && call.runs() ? call.answered(response).thenApply(Optional::of) : null;
    }

    private @Nullable String key(Route route) {
        String name = route.operation().name();
        String key = CanonicalKey.text(requestKey.currentKey(name, route.keys().format()));
        if (key == null && route.keys().required()) {
            throw new MissingIdempotencyKeyException(
                    name,
                    null,
                    "the request carries no " + requestKey.header(name)
                            + " header. It was not passed on. Send the header, or set"
                            + " idempotency.operations." + name
                            + ".key-required: false to let such requests through unprotected.",
                    null);
        }
        return key;
    }

    private KeyScope.Scoped identified(Route route, String key, CallFingerprint fingerprint) {
        return scope.of(route.operation().name(), route.operation().namespace(), key, fingerprint, route.keys());
    }
}
