package io.idempotency.http.server.route;

import io.idempotency.MissingIdempotencyKeyException;
import io.idempotency.definition.CanonicalKey;
import io.idempotency.http.server.HttpConfiguration;
import io.idempotency.runtime.Outcome;
import io.idempotency.runtime.OutcomeListener;
import io.idempotency.runtime.RequestKeySource;
import io.idempotency.runtime.call.Invocation;
import io.idempotency.runtime.call.Operation;
import io.idempotency.runtime.call.UnprotectedContext;
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
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;

/**
 * Claims the key of a request to a configured route, lets the rest of the filters and the route
 * answer it, records that answer and returns it; or returns a recorded one, or refuses. It stands
 * behind every other filter unless configured: a caller that one of those refuses gets that refusal
 * and never a recorded answer.
 */
@Singleton
@Requires(beans = Routes.class)
final class RouteFilter implements HttpServerFilter {

    /** The attribute of a request that came here. */
    static final String SEEN = "io.idempotency.route";

    /** The annotation of Micronaut's management, which may be absent. */
    private static final String ENDPOINT = "io.micronaut.management.endpoint.annotation.Endpoint";

    private final Routes routes;
    private final RequestKeySource requestKey;
    private final KeyScope scope;
    private final FingerprintForms forms;
    private final IdempotencyEngine engine;
    private final RouteAnswers answers;
    private final List<OutcomeListener> listeners;
    private final ExecutorService blocking;
    private final int order;
    private final boolean innermost;

    RouteFilter(
            Routes routes,
            RequestKeySource requestKey,
            KeyScope scope,
            FingerprintForms forms,
            IdempotencyEngine engine,
            RouteAnswers answers,
            List<OutcomeListener> listeners,
            @Named(TaskExecutors.BLOCKING) ExecutorService blocking,
            HttpConfiguration place) {
        this.routes = routes;
        this.requestKey = requestKey;
        this.scope = scope;
        this.forms = forms;
        this.engine = engine;
        this.answers = answers;
        this.listeners = List.copyOf(listeners);
        this.blocking = blocking;
        this.order = place.getFilterOrder();
        this.innermost = place.isInnermost();
    }

    @Override
    public int getOrder() {
        return order;
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
        // what has begun is recorded, also when the client has gone
        return Mono.fromFuture(
                once(route, key, request, chain)
                        .<MutableHttpResponse<?>>thenApply(HttpResponse::toMutableResponse)
                        .toCompletableFuture(),
                true);
    }

    /**
     * Returns the route of a request; null for one that passes. Where a filter in front has changed
     * the path, the path that was sent decides, because the request still goes there. A pattern as
     * wide as the application does not mean Micronaut's endpoints, whose callers have no keys; a
     * path that is written out does.
     */
    private @Nullable Route protecting(HttpRequest<?> request) {
        Route route = routes.of(request)
                .or(() -> ServerRequestContext.currentRequest().flatMap(routes::of))
                .orElse(null);
        if (route == null) {
            return null;
        }
        request.setAttribute(SEEN, true);
        boolean endpoint = !route.names(request.getPath())
                && RouteAttributes.getRouteInfo(request)
                        .filter(info -> info.getAnnotationMetadata().hasStereotype(ENDPOINT))
                        .isPresent();
        return endpoint ? null : route;
    }

    /** Takes the fingerprint of the request, and calls the engine with it. */
    private CompletionStage<HttpResponse<?>> once(
            Route route, String key, HttpRequest<?> request, ServerFilterChain chain) {
        PropagatedContext caller = PropagatedContext.getOrEmpty();
        return RequestFingerprint.of(request, forms, route.canonicalJson(), blocking)
                .thenCompose(fingerprint -> {
                    Operation operation = route.operation();
                    try (PropagatedContext.Scope ignored = caller.propagate()) {
                        return protectedCall(
                                route,
                                scope.of(operation.name(), operation.namespace(), key, fingerprint, route.keys()),
                                request,
                                chain);
                    }
                });
    }

    /** Claims the key, lets the chain answer, records the answer and returns it. */
    private CompletionStage<HttpResponse<?>> protectedCall(
            Route route, KeyScope.Scoped scoped, HttpRequest<?> request, ServerFilterChain chain) {
        PropagatedContext caller = PropagatedContext.getOrEmpty();
        long start = System.nanoTime();
        CompletableFuture<Outcome> told = new CompletableFuture<>();
        CompletableFuture<CompletionStage<HttpResponse<?>>> answer = new CompletableFuture<>();
        Invocation call = new Invocation(
                route.operation(),
                scoped.id(),
                scoped.fingerprint(),
                claim -> {
                    RouteRun run = new RouteRun(route, claim, told, new CompletableFuture<>());
                    answer.complete(answered(run, caller, request, chain));
                    return run.body();
                },
                null,
                null,
                false,
                scoped.admission(),
                null);
        // a duplicate that waits for a running call holds a thread, which must not be an event loop's
        CompletionStage<Outcome> ended = route.operation().mayWait() ? engine.executeAsync(call) : engine.begin(call);
        ended.whenComplete((outcome, defect) -> {
            if (defect == null) {
                try (PropagatedContext.Scope ignored = caller.propagate()) {
                    Listeners.tell(call, start, outcome, listeners);
                }
                told.complete(outcome);
            } else {
                told.completeExceptionally(defect);
            }
            if (!answer.isDone()) { // the route was not asked
                answer.complete(told.thenApply(known -> answers.answer(request, route.operation(), known, null)));
            }
        });
        return answer.thenCompose(stage -> stage);
    }

    /** Lets the filters behind this one and the route answer, in the context of the claim. */
    private CompletionStage<HttpResponse<?>> answered(
            RouteRun run, PropagatedContext caller, HttpRequest<?> request, ServerFilterChain chain) {
        CompletionStage<HttpResponse<?>> chained;
        try (PropagatedContext.Scope ignored =
                caller.plus(run.claim()).plus(run).propagate()) {
            chained = Mono.<HttpResponse<?>>from(chain.proceed(request)).toFuture();
        } catch (RuntimeException | Error e) {
            chained = CompletableFuture.failedFuture(e);
        }
        return chained.handle((response, failure) -> failure != null
                        ? answers.failed(run, request, failure)
                        : innermost
                                ? answers.recorded(run, request, response)
                                // filters behind this one may still change it: AnswerFilter records it
                                : CompletableFuture.<HttpResponse<?>>completedFuture(response))
                .thenCompose(answer -> answer);
    }

    private Publisher<MutableHttpResponse<?>> unprotected(
            Route route, HttpRequest<?> request, ServerFilterChain chain) {
        String operation = route.operation().name();
        Listeners.tell(listeners, operation, listener -> listener.onUnprotected(operation));
        PropagatedContext context = PropagatedContext.getOrEmpty().plus(new UnprotectedContext(operation));
        try (PropagatedContext.Scope ignored = context.propagate()) {
            return chain.proceed(request);
        }
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

    /**
     * Registers the filter behind all filters of its order: the router takes the filters of one
     * order in the order of the builders that register them. An annotated filter would share the
     * default order of filter methods, the last, with those of the application, and which of them
     * comes first would be chance.
     */
    @Singleton
    @Order(Ordered.LOWEST_PRECEDENCE)
    @Requires(beans = Routes.class)
    static final class Registration extends DefaultRouteBuilder implements Ordered {

        Registration(ApplicationContext context, Routes routes) {
            super(context);
            List<String> patterns = routes.patterns();
            if (!patterns.isEmpty()) {
                FilterRoute filter = addFilter(patterns.get(0), context, context.getBeanDefinition(RouteFilter.class));
                patterns.forEach(filter::pattern);
                filter.methods(routes.methods().toArray(HttpMethod[]::new));
            }
        }

        @Override
        public int getOrder() {
            return LOWEST_PRECEDENCE;
        }
    }
}
