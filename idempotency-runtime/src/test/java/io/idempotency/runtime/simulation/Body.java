package io.idempotency.runtime.simulation;

import io.idempotency.IdempotencyContext;
import io.idempotency.runtime.call.Invocation;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** A body: its effect happens as soon as it begins, and it ends later. */
final class Body implements Invocation.Body {

    private final World world;
    private final Caller caller;
    private final Node node;

    Body(World world, Caller caller) {
        this.world = world;
        this.caller = caller;
        this.node = caller.node();
    }

    @Override
    public CompletionStage<?> run(IdempotencyContext context) {
        Fault fault = world.disturbances.at(Step.BODY, node);
        if (node.gone()) {
            return CompletableFuture.failedFuture(new InjectedError());
        }
        caller.runs();
        Plan.Ending ending = ending(fault);
        String value = world.witness.bodyBegins(caller, context.fence(), ending != Plan.Ending.NOTHING);
        if (fault == Fault.DUPLICATE) {
            Caller.arrives(world, caller + "'s repetition", world.latency());
        }
        Duration takes = fault == Fault.LATE_REPLY ? caller.takes().plus(world.dice.leases(1, 3)) : caller.takes();
        CompletableFuture<String> end = new CompletableFuture<>();
        if (world.plan.mode() == Plan.Mode.BLOCKING_CALLER) {
            world.time.block(takes);
            end(end, ending, value);
        } else if (takes.isZero() && world.dice.chance(0.5)) {
            end(end, ending, value);
        } else {
            world.time.after(takes, node, () -> end(end, ending, value));
        }
        return end;
    }

    private Plan.Ending ending(@Nullable Fault fault) {
        if (fault == Fault.ERROR) {
            return Plan.Ending.ERROR;
        } else if (fault == Fault.REQUEST_LOST) {
            return Plan.Ending.NOTHING;
        }
        return fault == Fault.REPLY_LOST ? Plan.Ending.CUT_OFF : caller.ending();
    }

    private void end(CompletableFuture<String> end, Plan.Ending planned, String value) {
        Fault fault = world.disturbances.at(Step.BODY_END, node);
        if (fault == Fault.DUPLICATE) {
            Caller.arrives(world, caller + "'s repetition", world.latency());
        }
        Plan.Ending ending = fault == Fault.REQUEST_LOST || fault == Fault.REPLY_LOST
                ? Plan.Ending.CUT_OFF
                : fault == Fault.ERROR ? Plan.Ending.ERROR : planned;
        world.trace(() -> caller + "'s body ends: " + ending);
        world.witness.bodyEnds(ending);
        switch (ending) {
            case RETURNS -> end.complete(value);
            case FAILS -> end.completeExceptionally(new IllegalStateException("limit exceeded"));
            case NOTHING -> end.completeExceptionally(new Node.NoEffectException());
            case CUT_OFF -> end.completeExceptionally(new SocketTimeoutException("no answer"));
            case ERROR -> end.completeExceptionally(new InjectedError());
        }
    }
}
