package io.idempotency.runtime.simulation;

import io.idempotency.IdempotencyContext;
import io.idempotency.Reconciliation;
import io.idempotency.runtime.call.Invocation;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Asks whether any body has had its effect. Now and then it cannot find out. */
final class Reconciler implements Invocation.Reconciler {

    private final World world;
    private final Node node;

    Reconciler(World world, Node node) {
        this.world = world;
        this.node = node;
    }

    @Override
    public CompletionStage<? extends Reconciliation<?>> run(IdempotencyContext context) throws Throwable {
        Fault fault = world.disturbances.at(Step.RECONCILE, node);
        if (fault == Fault.ERROR) {
            throw new InjectedError();
        } else if (fault == Fault.REQUEST_LOST || fault == Fault.REPLY_LOST) {
            throw new IOException("connection lost");
        } else if (fault == Fault.DUPLICATE) {
            Caller.arrives(world, "a repetition", world.latency());
        }
        Reconciliation<?> answer = answer();
        Duration delay = fault == Fault.LATE_REPLY ? world.dice.leases(0.5, 2) : world.latency();
        if (world.plan.mode() == Plan.Mode.BLOCKING_CALLER) {
            world.time.block(delay);
            return CompletableFuture.completedFuture(answer);
        }
        CompletableFuture<Reconciliation<?>> come = new CompletableFuture<>();
        world.time.after(delay, node, () -> come.complete(answer));
        return come;
    }

    private Reconciliation<?> answer() {
        String value = world.witness.effect();
        Reconciliation<?> answer = world.dice.chance(0.1)
                ? Reconciliation.unknown("the provider is down")
                : value == null ? Reconciliation.absent() : Reconciliation.done(value);
        world.trace(() -> node + "'s reconciler knows " + answer);
        return answer;
    }
}
