package io.idempotency.http.server.route;

import io.idempotency.definition.CanonicalKey;
import io.idempotency.http.server.RequestStatuses;
import io.idempotency.runtime.Outcome;
import io.idempotency.runtime.OutcomeListener;
import io.idempotency.runtime.RequestKeySource;
import io.idempotency.runtime.call.Invocation;
import io.idempotency.runtime.call.Operation;
import io.idempotency.runtime.call.UnprotectedContext;
import io.idempotency.runtime.config.KeyPolicy;
import io.idempotency.runtime.config.KeyScope;
import io.idempotency.runtime.engine.IdempotencyEngine;
import io.idempotency.runtime.engine.Listeners;
import io.idempotency.runtime.secrets.FingerprintForms;
import io.micronaut.context.ApplicationContext;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.annotation.Order;
import io.micronaut.core.order.Ordered;
import io.micronaut.core.propagation.PropagatedContext;
import io.micronaut.http.HttpMethod;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.context.ServerRequestContext;
import io.micronaut.http.filter.HttpServerFilter;
import io.micronaut.http.filter.ServerFilterChain;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.web.router.DefaultRouteBuilder;
import io.micronaut.web.router.FilterRoute;
import io.micronaut.web.router.RouteAttributes;
import io.micronaut.web.router.RouteMatch;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;

/** Claims the key of a request to a configured route, and records what the filters and the route behind it answer. */
@Singleton
@Requires(beans = Routes.class)
record RouteFilter(
        Routes routes,
        RequestKeySource requestKey,
        KeyScope scope,
        FingerprintForms forms,
        IdempotencyEngine engine,
        RouteAnswers answers,
        List<OutcomeListener> listeners,
        @Named(TaskExecutors.BLOCKING) ExecutorService blocking)
        implements HttpServerFilter {

    /** The attribute of a request that reached this filter. */
    static final String SEEN = "io.idempotency.route";

    private static final String ENDPOINT = "io.micronaut.management.endpoint.annotation.Endpoint";

    @Override
    public int getOrder() {
        return answers.place().filterOrder();
    }

    @Override
    public Publisher<MutableHttpResponse<?>> doFilter(HttpRequest<?> request, ServerFilterChain chain) {
        Route route = protecting(request);
        if (route == null) {
            return chain.proceed(request);
        }
        String key = key(route);
        if (key == null) {
            return unprotected(route, request, chain);
        }
        PropagatedContext caller = PropagatedContext.getOrEmpty();
        Operation operation = route.operation();
        CompletionStage<MutableHttpResponse<?>> answer = RequestFingerprint.of(
                        request, forms, route.canonicalJson(), blocking)
                .thenCompose(fingerprint -> caller.propagate(() -> protectedCall(
                        route,
                        scope.of(operation.name(), operation.namespace(), key, fingerprint, route.keys()),
                        request,
                        chain)))
                .thenApply(HttpResponse::toMutableResponse);
        return Mono.fromFuture(answer.toCompletableFuture(), true); // recorded also when the client has gone
    }

    /**
     * Returns the route that protects a request, also by the path that the client sent before a filter changed it; null
     * for none. A pattern excludes Micronaut's endpoints, whose callers have no keys; a literal path does not.
     */
    private @Nullable Route protecting(HttpRequest<?> request) {
        Optional<Route> route = routes.of(request)
                .or(() -> ServerRequestContext.currentRequest().flatMap(routes::of));
        route.ifPresent(found -> request.setAttribute(SEEN, true));
        return route.filter(found -> found.patterns().contains(request.getPath())
                        || RouteAttributes.getRouteInfo(request)
                                .filter(info -> info.getAnnotationMetadata().hasStereotype(ENDPOINT))
                                .isEmpty())
                .orElse(null);
    }

    private CompletionStage<HttpResponse<?>> protectedCall(
            Route route, KeyScope.Scoped scoped, HttpRequest<?> request, ServerFilterChain chain) {
        PropagatedContext caller = PropagatedContext.getOrEmpty();
        long start = System.nanoTime();
        RouteMatch<?> match = RouteAttributes.getRouteMatch(request)
                // a filter in front may have made another request
                .or(() -> ServerRequestContext.currentRequest().flatMap(RouteAttributes::getRouteMatch))
                .orElse(null);
        CompletableFuture<Outcome> told = new CompletableFuture<>();
        CompletableFuture<CompletionStage<HttpResponse<?>>> answer = new CompletableFuture<>();
        Invocation.Body body = claim -> {
            RouteAnswers.Run run = new RouteAnswers.Run(
                    route, claim, told, match, new CompletableFuture<>(), new CompletableFuture<>());
            RequestStatuses.begin(request, told);
            answer.complete(answered(run, caller, request, chain));
            return run.body();
        };
        Operation operation = route.operation();
        Invocation call = new Invocation(
                operation, scoped.id(), scoped.fingerprint(), body, null, null, false, scoped.admission(), null);
        // a duplicate that waits for a running call holds a thread, which must not be an event loop's
        CompletionStage<Outcome> ended = operation.mayWait() ? engine.executeAsync(call) : engine.begin(call);
        ended.whenComplete((outcome, defect) -> {
            if (defect == null) {
                try (PropagatedContext.Scope ignored = caller.propagate()) {
                    Listeners.tell(call, start, outcome, listeners);
                }
                told.complete(outcome);
            } else {
                told.completeExceptionally(defect);
            }
            if (!answer.isDone()) { // the route was not called
                answer.complete(told.thenApply(known -> answers.answer(operation, known, null)));
            }
        });
        return answer.thenCompose(Function.identity());
    }

    private CompletionStage<HttpResponse<?>> answered(
            RouteAnswers.Run run, PropagatedContext caller, HttpRequest<?> request, ServerFilterChain chain) {
        CompletionStage<HttpResponse<?>> chained;
        try (PropagatedContext.Scope ignored =
                caller.plus(run.claim()).plus(run).propagate()) {
            chained = Mono.<HttpResponse<?>>from(chain.proceed(request)).toFuture();
        } catch (RuntimeException | Error e) {
            chained = CompletableFuture.failedFuture(e);
        }
        return chained.handle((response, failure) -> failure != null
                        ? answers.failed(run, failure)
                        : answers.place().isInnermost()
                                ? answers.recorded(run, request, response)
                                : CompletableFuture.<HttpResponse<?>>completedFuture(passedOn(run, request, response)))
                .thenCompose(Function.identity());
    }

    /** Lets the filters behind change a response before {@link AnsweredRoutes} records it, for at most one lease. */
    private HttpResponse<?> passedOn(RouteAnswers.Run run, HttpRequest<?> request, HttpResponse<?> response) {
        run.seen()
                .completeOnTimeout(
                        false, run.route().operation().policy().lease().toMillis(), TimeUnit.MILLISECONDS)
                .thenAccept(seen -> {
                    if (!seen) { // a filter in front gave up waiting
                        answers.recorded(run, request, response);
                    }
                });
        return response;
    }

    private Publisher<MutableHttpResponse<?>> unprotected(
            Route route, HttpRequest<?> request, ServerFilterChain chain) {
        String operation = route.operation().name();
        Listeners.tell(listeners, operation, listener -> listener.onUnprotected(operation));
        PropagatedContext context = PropagatedContext.getOrEmpty().plus(new UnprotectedContext(operation));
        return context.propagate(() -> chain.proceed(request));
    }

    private @Nullable String key(Route route) {
        String name = route.operation().name();
        String key = CanonicalKey.text(requestKey.currentKey(name, route.keys().format()));
        if (key == null && route.keys().required()) {
            throw KeyPolicy.missing(
                    name,
                    "the request carries no " + requestKey.header(name)
                            + " header. It was not passed on. Send the header");
        }
        return key;
    }

    /** Registers the filter last among those of its order; an annotated filter's place there would be arbitrary. */
    @Singleton
    @Order(Ordered.LOWEST_PRECEDENCE)
    @Requires(beans = Routes.class)
    static final class Registration extends DefaultRouteBuilder {

        Registration(ApplicationContext context, Routes routes) {
            super(context);
            List<String> patterns = routes.patterns();
            if (!patterns.isEmpty()) {
                FilterRoute filter = addFilter(patterns.get(0), context, context.getBeanDefinition(RouteFilter.class));
                patterns.forEach(filter::pattern);
                filter.methods(routes.methods().toArray(HttpMethod[]::new));
            }
        }
    }
}
