package io.idempotency.http.server.route;

import io.idempotency.IdempotencyException;
import io.idempotency.definition.Similar;
import io.idempotency.http.server.HttpConfiguration;
import io.idempotency.http.server.RequestStatuses;
import io.idempotency.runtime.Effect;
import io.idempotency.runtime.Outcome;
import io.idempotency.runtime.call.FailureWithAnswer;
import io.idempotency.runtime.call.Operation;
import io.idempotency.runtime.config.PropertyValidator;
import io.idempotency.runtime.intercept.AnsweredCalls;
import io.micronaut.context.exceptions.ConfigurationException;
import io.micronaut.core.order.Ordered;
import io.micronaut.core.propagation.PropagatedContext;
import io.micronaut.core.type.Argument;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Filter;
import io.micronaut.http.annotation.HttpMethodMapping;
import io.micronaut.http.annotation.ResponseFilter;
import io.micronaut.http.annotation.ServerFilter;
import io.micronaut.http.context.ServerRequestContext;
import io.micronaut.inject.ExecutableMethod;
import io.micronaut.web.router.MethodBasedRouteMatch;
import io.micronaut.web.router.RouteAttributes;
import jakarta.inject.Singleton;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Recognizes calls of the current request's annotated method, records the response to the method's exception, and gives
 * it to duplicates. Also records the responses of configured routes where filters run behind the claim.
 */
@Singleton
@ServerFilter(Filter.MATCH_ALL_PATTERN)
final class AnsweredRoutes implements AnsweredCalls, Ordered {

    private static final String PREFIX = HttpConfiguration.OfOperation.PREFIX;

    /** Request attributes: the call that waits for the response, and the call whose recorded response is sent. */
    private static final String PENDING = "io.idempotency.answer";

    private static final String REPLAY = "io.idempotency.replay";

    private final Map<String, StatusRule> rules = new HashMap<>();
    private final Set<String> routes = new TreeSet<>();
    private final PropertyValidator written;
    private final RouteAnswers answers;

    AnsweredRoutes(
            List<HttpConfiguration.OfOperation> operations,
            List<Route.Configuration> configured,
            PropertyValidator written,
            RouteAnswers answers) {
        this.written = written;
        this.answers = answers;
        configured.forEach(route -> routes.add(route.name()));
        for (HttpConfiguration.OfOperation operation : operations) {
            String name = operation.name();
            if (routes.contains(name) && (operation.noEffectStatus() != null || operation.unknownStatus() != null)) {
                throw new ConfigurationException(PREFIX + "." + name + ": '" + name + "' is a configured route, whose"
                        + " statuses stand with its path. Write them as " + Route.Configuration.PREFIX + "." + name
                        + ".no-effect-status and unknown-status.");
            }
            rules.put(name, StatusRule.of(PREFIX + "." + name, operation.noEffectStatus(), operation.unknownStatus()));
        }
    }

    @Override
    public int getOrder() {
        return answers.place().filterOrder();
    }

    @Override
    public void start(Map<String, List<ExecutableMethod<?, ?>>> operations) {
        operations.forEach((name, methods) -> {
            if (methods.stream().anyMatch(method -> method.hasStereotype(HttpMethodMapping.class))) {
                routes.add(name);
            }
        });
        for (Set<String> meant : written.names(PREFIX)) {
            if (Collections.disjoint(meant, routes)) {
                String name = meant.iterator().next();
                throw new ConfigurationException(
                        PREFIX + "." + name + ": no route of this application is an operation of that name, so nothing"
                                + " would read it." + Similar.didYouMean(name, routes)
                                + " Correct or remove it. Operations of routes: " + routes);
            }
        }
    }

    @Override
    public @Nullable Answered of(ExecutableMethod<?, ?> method, Operation operation, boolean retried) {
        HttpRequest<?> request = ServerRequestContext.currentRequest().orElse(null);
        return request == null || !isRouteOf(request, method)
                ? null
                : new Call(request, operation, rules.getOrDefault(operation.name(), StatusRule.STANDARD), retried);
    }

    /** Compares names, types and parameters, since the route may have the method of a subclass. */
    private static boolean isRouteOf(HttpRequest<?> request, ExecutableMethod<?, ?> method) {
        return RouteAttributes.getRouteMatch(request).orElse(null) instanceof MethodBasedRouteMatch<?, ?> route
                && route.getMethodName().equals(method.getMethodName())
                && method.getDeclaringType().isAssignableFrom(route.getDeclaringType())
                && Arrays.equals(Argument.toClassArray(route.getArguments()), method.getArgumentTypes());
    }

    /** Records or replaces the response. Returns null for a response that is sent unchanged. */
    @ResponseFilter
    @Nullable
    CompletionStage<Optional<HttpResponse<?>>> record(HttpRequest<?> request, HttpResponse<?> response) {
        Call replay = (Call) request.getAttributes().getValue(REPLAY); // get() would convert it
        if (replay != null) {
            return replay.end.thenApply(outcome -> Optional.of(answers.answer(replay.operation, outcome, null)));
        }
        RouteAnswers.Run run = answers.place().isInnermost()
                ? null
                : PropagatedContext.getOrEmpty().find(RouteAnswers.Run.class).orElse(null);
        if (run != null) {
            return answers.recorded(run, request, response).thenApply(Optional::of);
        }
        Call pending = (Call) request.getAttributes().getValue(PENDING);
        return pending == null ? null : pending.answered(request, response);
    }

    /**
     * A call of a request's annotated method. After an exception, the claim is held until the response is known, and
     * the response until it is recorded; without a response, the failure alone is recorded after one lease.
     */
    private final class Call implements Answered {

        private final HttpRequest<?> request;
        private final Operation operation;
        private final StatusRule rule;
        private final boolean retried;
        private final CompletableFuture<FailureWithAnswer> answer = new CompletableFuture<>();
        private final CompletableFuture<@Nullable Outcome> end = new CompletableFuture<>();
        private volatile @Nullable FailureWithAnswer unanswered;

        private Call(HttpRequest<?> request, Operation operation, StatusRule rule, boolean retried) {
            this.request = request;
            this.operation = operation;
            this.rule = rule;
            this.retried = retried;
        }

        @Override
        public void begins() {
            RequestStatuses.begin(request, end);
        }

        @Override
        public @Nullable Returned returned(@Nullable Object value) {
            if (!(value instanceof HttpResponse<?>) && !(value instanceof HttpStatus)) {
                return null;
            }
            int status = value instanceof HttpStatus alone ? alone.getCode() : ((HttpResponse<?>) value).code();
            Effect effect = rule.effect(status);
            boolean serverError = status >= HttpStatus.INTERNAL_SERVER_ERROR.getCode();
            return StatusRule.isError(status) || effect != Effect.FINAL
                    ? new Returned(StatusRule.undecided(status, effect), serverError)
                    : null;
        }

        @Override
        public CompletionStage<@Nullable Object> whole(@Nullable Object value) {
            return value instanceof HttpResponse<?> response
                    ? answers.responses()
                            .whole(response, operation.policy().maxResultSize())
                            .thenApply(read -> read)
                    : CompletableFuture.completedFuture(value);
        }

        @Override
        public CompletionStage<FailureWithAnswer> thrown(Throwable thrown) {
            FailureWithAnswer alone = new FailureWithAnswer(thrown, rule.effect(thrown), null);
            synchronized (request) {
                // the next try must not wait for the answer to this one, and another call's answer is not this one's
                if (retried || request.getAttributes().getValue(PENDING) != null) {
                    return CompletableFuture.completedFuture(alone);
                }
                request.setAttribute(PENDING, this);
            }
            unanswered = alone;
            return answer.completeOnTimeout(alone, operation.policy().lease().toMillis(), TimeUnit.MILLISECONDS);
        }

        @Override
        public void ended(@Nullable Outcome outcome) {
            if (outcome instanceof Outcome.Refused refused && refused.answer() != null) {
                request.setAttribute(REPLAY, this);
            }
            end.complete(outcome);
        }

        /** Records the response, then returns it; null when it need not be recorded. */
        private @Nullable CompletionStage<Optional<HttpResponse<?>>> answered(
                HttpRequest<?> asked, HttpResponse<?> response) {
            FailureWithAnswer alone = unanswered;
            // advice may repeat the call while its claim is held: the refusal of the next try is no answer to this one
            if (alone != null
                    && RouteAttributes.getException(response).orElse(null) instanceof IdempotencyException refusal
                    && refusal != alone.failure()
                    && refusal.operation().equals(operation.name())) {
                answer.complete(alone);
            }
            if (alone == null || answer.isDone()) {
                return null;
            }
            return answers.threw(operation, rule, asked, response, alone.failure(), failed -> {
                        answer.complete(failed);
                        return end;
                    })
                    .thenApply(Optional::of);
        }
    }
}
