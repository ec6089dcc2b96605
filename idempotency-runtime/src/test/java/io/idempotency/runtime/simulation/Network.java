package io.idempotency.runtime.simulation;

import io.idempotency.runtime.store.IdempotencyStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
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

    <T> T ask(Step step, Function<IdempotencyStore, T> request) {
        if (node.gone()) {
            throw failed("this node is gone");
        }
        Fault fault = world.disturbances.atRequest(step, node);
        world.trace(() -> node + " sends " + step);
        if (fault == Fault.ERROR) {
            throw new InjectedError();
        }
        if (fault == Fault.DUPLICATE) {
            world.time.after(world.latency().plus(world.dice.leases(0, 2)), null, () -> arriveAgain(request));
        }
        if (lostOnTheWay(fault)) {
            world.time.block(DRIVER_TIME_OUT);
            throw failed("no answer");
        }
        world.time.block(sendingDelay(fault).plus(world.latency()));
        T answer;
        try {
            answer = arrive(request);
        } catch (RuntimeException e) {
            throw failed(e.getMessage());
        }
        if (fault == Fault.REPLY_LOST) {
            world.time.block(DRIVER_TIME_OUT);
            throw failed("no answer");
        }
        world.time.block(replyDelay(fault));
        return answer;
    }

    private static UncheckedIOException failed(String message) {
        return new UncheckedIOException(new IOException(message));
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

    private Duration replyDelay(@Nullable Fault fault) {
        return fault == Fault.LATE_REPLY ? world.dice.leases(0.5, 2) : world.latency();
    }

    private <T> T arrive(Function<IdempotencyStore, T> request) {
        if (world.store.away()) {
            throw failed("connection refused");
        }
        return world.store.apply(request);
    }

    private void arriveAgain(Function<IdempotencyStore, ?> request) {
        if (!world.store.away()) {
            world.store.apply(request);
        }
    }
}
