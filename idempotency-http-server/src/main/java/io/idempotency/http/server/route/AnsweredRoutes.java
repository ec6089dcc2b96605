package io.idempotency.http.server.route;

import io.idempotency.definition.Similar;
import io.idempotency.http.server.OperationHttpConfiguration;
import io.idempotency.runtime.Effect;
import io.idempotency.runtime.Outcome;
import io.idempotency.runtime.call.FailureWithAnswer;
import io.idempotency.runtime.call.Operation;
import io.idempotency.runtime.config.PropertyValidator;
import io.idempotency.runtime.intercept.AnsweredCalls;
import io.micronaut.context.exceptions.ConfigurationException;
import io.micronaut.core.type.Argument;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.HttpMethodMapping;
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
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Recognizes calls of the annotated method that the current request was routed to. */
@Singleton
final class AnsweredRoutes implements AnsweredCalls {

    private static final String PREFIX = OperationHttpConfiguration.PREFIX;

    /** The attributes of a request: the call that waits for its answer, and the one whose recorded answer it gets. */
    private static final String PENDING = "io.idempotency.answer";

    private static final String REPLAY = "io.idempotency.replay";

    private final Map<String, StatusRule> rules = new HashMap<>();
    private final Set<String> routes = new TreeSet<>();
    private final PropertyValidator written;

    AnsweredRoutes(
            List<OperationHttpConfiguration> operations,
            List<RouteConfiguration> configured,
            PropertyValidator written) {
        this.written = written;
        configured.forEach(route -> routes.add(route.name()));
        for (OperationHttpConfiguration operation : operations) {
            String name = operation.name();
            boolean any = operation.noEffectStatus() != null || operation.unknownStatus() != null;
            if (any && routes.contains(name)) {
                throw new ConfigurationException(PREFIX + "." + name + ": '" + name + "' is a configured route, whose"
                        + " statuses stand with its path. Write them as " + RouteConfiguration.PREFIX + "." + name
                        + ".no-effect-status and unknown-status.");
            }
            rules.put(name, StatusRule.of(PREFIX + "." + name, operation.noEffectStatus(), operation.unknownStatus()));
        }
    }

    @Override
    public @Nullable Answered of(ExecutableMethod<?, ?> method, Operation operation, boolean retried) {
        HttpRequest<?> request = ServerRequestContext.currentRequest().orElse(null);
        return request == null || !isRouteOf(request, method)
                ? null
                : new Call(request, operation, rules.getOrDefault(operation.name(), StatusRule.STANDARD), retried);
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

    /** The call of a request that has a recorded answer, or waits for the request's; null where there is none. */
    static @Nullable Call of(HttpRequest<?> request) {
        Call replay = (Call) request.getAttributes().getValue(REPLAY);
        return replay == null ? (Call) request.getAttributes().getValue(PENDING) : replay;
    }

    /** The route's method is the bean's, the advice's its class's: they are not the same object. */
    private static boolean isRouteOf(HttpRequest<?> request, ExecutableMethod<?, ?> method) {
        return RouteAttributes.getRouteMatch(request).orElse(null) instanceof MethodBasedRouteMatch<?, ?> route
                && route.getMethodName().equals(method.getMethodName())
                && method.getDeclaringType().isAssignableFrom(route.getDeclaringType())
                && Arrays.equals(Argument.toClassArray(route.getArguments()), method.getArgumentTypes());
    }

    /**
     * One call of an annotated method that a request was routed to. After an exception the claim is
     * held until the response is known, and the response until it is recorded. Where no response
     * comes, for instance because the client is gone, the failure is recorded without it after one
     * lease.
     */
    static final class Call implements Answered, RouteAnswers.Recording {

        private final HttpRequest<?> request;
        private final Operation operation;
        private final StatusRule rule;
        private final boolean retried;
        private final CompletableFuture<FailureWithAnswer> answer = new CompletableFuture<>();
        private final CompletableFuture<@Nullable Outcome> end = new CompletableFuture<>();
        private volatile @Nullable Throwable failure;
        private volatile Outcome.@Nullable Refused recorded;

        private Call(HttpRequest<?> request, Operation operation, StatusRule rule, boolean retried) {
            this.request = request;
            this.operation = operation;
            this.rule = rule;
            this.retried = retried;
        }

        @Override
        public @Nullable Returned returned(@Nullable Object value) {
            if (!(value instanceof HttpResponse<?> response)) {
                return null;
            }
            int status = response.code();
            Effect effect = rule.effect(status);
            return StatusRule.isError(status) || effect != Effect.FINAL
                    ? new Returned(effect, StatusRule.undecided(status, effect), StatusRule.isServerError(status))
                    : null;
        }

        @Override
        public @Nullable CompletionStage<FailureWithAnswer> thrown(Throwable thrown) {
            if (retried) {
                return null; // the next try is refused or runs, and must not wait for the answer to this one
            }
            synchronized (request) {
                if (request.getAttributes().getValue(PENDING) != null) { // get() would convert it
                    return null; // the answer is another call's
                }
                request.setAttribute(PENDING, this);
            }
            failure = thrown;
            return answer.completeOnTimeout(
                    new FailureWithAnswer(thrown, Effect.FINAL, null),
                    operation.policy().lease().toMillis(),
                    TimeUnit.MILLISECONDS);
        }

        @Override
        public void ended(@Nullable Outcome outcome) {
            if (outcome instanceof Outcome.Refused refused && refused.answer() != null) {
                recorded = refused;
                request.setAttribute(REPLAY, this);
            }
            end.complete(outcome);
        }

        boolean isReplayed() {
            return recorded != null;
        }

        /** Records the response and then returns it, or returns the recorded one in its place. */
        CompletionStage<HttpResponse<?>> answered(
                HttpRequest<?> asked, HttpResponse<?> response, RouteAnswers answers) {
            Throwable thrown = failure;
            if (recorded != null) {
                return CompletableFuture.completedFuture(answers.answer(request, operation, recorded, null));
            } else if (thrown == null || answer.isDone()) {
                return CompletableFuture.completedFuture(response);
            }
            return answers.threw(this, asked, response, thrown);
        }

        @Override
        public Operation operation() {
            return operation;
        }

        @Override
        public StatusRule rule() {
            return rule;
        }

        @Override
        public CompletionStage<@Nullable Outcome> failed(FailureWithAnswer failed) {
            answer.complete(failed);
            return end;
        }
    }
}
