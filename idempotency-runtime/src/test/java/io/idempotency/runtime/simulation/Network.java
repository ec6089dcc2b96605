package io.idempotency.runtime.simulation;

import io.idempotency.runtime.store.IdempotencyStore;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Carries a node's requests to the store, and the replies back. */
final class Network {

    /** A driver that blocks bounds its own calls. */
    private static final Duration DRIVER_TIME_OUT = Duration.ofSeconds(5);

    private final World world;
    private final Node node;

    Network(World world, Node node) {
        this.world = world;
        this.node = node;
    }

    <T> CompletionStage<T> ask(Step step, Function<IdempotencyStore, CompletionStage<T>> request) {
        if (node.gone()) {
            return CompletableFuture.failedFuture(new IOException("this node is gone"));
        }
        Fault fault = world.disturbances.atRequest(step, node);
        world.trace(() -> node + " sends " + step);
        if (fault == Fault.ERROR && world.dice.chance(0.5)) {
            throw new InjectedError();
        } else if (fault == Fault.ERROR) {
            return CompletableFuture.failedFuture(new InjectedError());
        }
        if (fault == Fault.DUPLICATE) {
            world.time.after(world.latency().plus(world.dice.leases(0, 2)), null, () -> arrive(request));
        }
        return world.plan.mode() == Plan.Mode.CALLBACK ? callback(fault, request) : blocking(fault, request);
    }

    /** What a node does before it is stopped is sent; what it was about to do is sent when it goes on, or never. */
    private Duration sendingDelay(@Nullable Fault fault) {
        return fault == Fault.PAUSE && world.dice.chance(0.5)
                ? Duration.ofNanos(node.pausedUntilNanos() - world.time.nanos())
                : Duration.ZERO;
    }

    private boolean lostOnTheWay(@Nullable Fault fault) {
        return fault == Fault.REQUEST_LOST || fault == Fault.CRASH && world.dice.chance(0.5);
    }

    /** Before a connection is known to be broken; never, for a driver without a time-out. */
    private @Nullable Duration broken() {
        return world.dice.chance(0.2) ? null : world.dice.between(Duration.ofMillis(1), DRIVER_TIME_OUT);
    }

    private Duration replyDelay(@Nullable Fault fault) {
        return fault == Fault.LATE_REPLY ? world.dice.leases(0.5, 2) : world.latency();
    }

    private <T> CompletionStage<T> callback(
            @Nullable Fault fault, Function<IdempotencyStore, CompletionStage<T>> request) {
        CompletableFuture<T> reply = new CompletableFuture<>();
        if (lostOnTheWay(fault)) {
            fail(reply, broken());
            return reply;
        }
        world.time.after(sendingDelay(fault).plus(world.latency()), null, () -> {
            CompletionStage<T> answer = arrive(request);
            if (fault == Fault.REPLY_LOST) {
                fail(reply, broken());
                return;
            }
            world.time.after(
                    replyDelay(fault),
                    node,
                    () -> answer.whenComplete((value, failure) -> {
                        if (failure == null) {
                            reply.complete(value);
                        } else {
                            reply.completeExceptionally(failure);
                        }
                    }));
        });
        return reply;
    }

    private void fail(CompletableFuture<?> reply, @Nullable Duration when) {
        if (when != null) {
            world.time.after(when, node, () -> reply.completeExceptionally(new IOException("connection lost")));
        }
    }

    private <T> CompletionStage<T> blocking(
            @Nullable Fault fault, Function<IdempotencyStore, CompletionStage<T>> request) {
        if (lostOnTheWay(fault)) {
            world.time.block(DRIVER_TIME_OUT, node);
            return CompletableFuture.failedFuture(new IOException("no answer"));
        }
        world.time.block(sendingDelay(fault).plus(world.latency()), node);
        CompletionStage<T> answer = arrive(request);
        if (fault == Fault.REPLY_LOST) {
            world.time.block(DRIVER_TIME_OUT, node);
            return CompletableFuture.failedFuture(new IOException("no answer"));
        }
        world.time.block(replyDelay(fault), node);
        return answer;
    }

    private <T> CompletionStage<T> arrive(Function<IdempotencyStore, CompletionStage<T>> request) {
        return world.store.away()
                ? CompletableFuture.failedFuture(new IOException("connection refused"))
                : world.store.apply(request);
    }
}
