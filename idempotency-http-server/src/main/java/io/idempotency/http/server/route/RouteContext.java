package io.idempotency.http.server.route;

import io.idempotency.IdempotencyContext;
import io.idempotency.runtime.engine.RunningCall;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Stands in the context of a request from before it is claimed, because the filters' context is fixed by then, and speaks
 * for the claim from then on.
 */
final class RouteContext implements RunningCall {

    private final RouteCall call;
    private volatile @Nullable IdempotencyContext claim;

    RouteContext(RouteCall call) {
        this.call = call;
    }

    RouteCall call() {
        return call;
    }

    void claimed(IdempotencyContext held) {
        claim = held;
    }

    private IdempotencyContext held() {
        return Optional.ofNullable(claim)
                .orElseThrow(() -> new IllegalStateException("The key of this request is not claimed"));
    }

    @Override
    public void retried(Throwable failure) {
        if (claim instanceof RunningCall running) {
            running.retried(failure);
        }
    }

    @Override
    public Throwable answerFor(Throwable thrown) {
        return claim instanceof RunningCall running ? running.answerFor(thrown) : thrown;
    }

    @Override
    public boolean isProtected() {
        return held().isProtected();
    }

    @Override
    public String operation() {
        return held().operation();
    }

    @Override
    public String keyHash() {
        return held().keyHash();
    }

    @Override
    public long fence() {
        return held().fence();
    }

    @Override
    public int attempt() {
        return held().attempt();
    }

    @Override
    public Duration remainingLease() {
        return held().remainingLease();
    }

    @Override
    public boolean leaseLost() {
        return held().leaseLost();
    }

    @Override
    public void onLeaseLost(Runnable action) {
        held().onLeaseLost(action);
    }

    @Override
    public String deriveKey(String name) {
        return held().deriveKey(name);
    }

    @Override
    public String deriveKey(String name, Object intent) {
        return held().deriveKey(name, intent);
    }

    @Override
    public void noEffect() {
        held().noEffect();
    }
}
