package io.idempotency.runtime.simulation;

import io.idempotency.OnFailure;
import io.idempotency.OnStoreFailure;
import io.idempotency.runtime.Effect;
import io.idempotency.runtime.ResultCodec;
import io.idempotency.runtime.call.Operation;
import io.idempotency.runtime.engine.IdempotencyEngine;
import io.idempotency.runtime.engine.SteppedTime;
import io.idempotency.runtime.engine.TestServices;
import io.idempotency.runtime.outcome.Seal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One JVM: an engine with a timer, threads and a connection of its own. It can stand still, refuse threads, stop or vanish. */
final class Node implements SteppedTime.Owner {

    private final World world;
    private final String name;
    private final Operation operation;
    private long pausedUntil = Long.MIN_VALUE;
    private long refusingUntil = Long.MIN_VALUE;
    private boolean stopping;
    private boolean closed;
    private boolean gone;
    final IdempotencyEngine engine;

    Node(World world, String name) {
        this.world = world;
        this.name = name;
        NodeThreads threads = new NodeThreads(world, this);
        this.engine = new IdempotencyEngine(TestServices.of(
                threads,
                world.sabotage.maintenance(threads),
                world.sabotage.time(world.time),
                world.sabotage.tokens(world::token),
                world.dice.fractions(),
                List.of()));
        this.operation = made();
    }

    private Operation made() {
        Plan plan = world.plan;
        return new Operation(
                "pay",
                "payments",
                world.sabotage.connection(new Connection(world, this)),
                new Text(),
                Seal.NONE,
                new Operation.Policy(
                        Plan.RETENTION,
                        Plan.RETENTION,
                        Plan.LEASE,
                        plan.whenInProgress(),
                        plan.waitTimeout(),
                        OnFailure.REMEMBER,
                        Map.of(NoEffectException.class, Effect.NONE),
                        OnStoreFailure.FAIL,
                        plan.onAbandoned(),
                        false,
                        1000,
                        Duration.ofSeconds(2),
                        false));
    }

    /** Declared as one that proves that nothing was done. */
    static final class NoEffectException extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    private final class Text implements ResultCodec {
        @Override
        public byte[] encode(@Nullable Object value) {
            Fault fault = world.disturbances.at(Step.ENCODE, Node.this);
            if (fault == Fault.ERROR) {
                throw new InjectedError();
            }
            return String.valueOf(value).getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public Object decode(byte[] bytes) {
            return new String(bytes, StandardCharsets.UTF_8);
        }
    }

    Operation operation() {
        return operation;
    }

    void crash() {
        gone = true;
    }

    void pause(Duration span) {
        pausedUntil = world.time.nanos() + span.toNanos();
    }

    void refuseThreads(Duration span) {
        refusingUntil = world.time.nanos() + span.toNanos();
    }

    boolean refusesThreads() {
        return world.time.nanos() < refusingUntil;
    }

    void mend() {
        refusingUntil = Long.MIN_VALUE;
    }

    /** On another thread, as applications do; some time after it is over the process ends. */
    void shutDown(Duration limit) {
        if (!stopping) {
            stopping = true;
            world.time.after(Duration.ZERO, this, () -> stopped(engine.shutDown(limit)));
        }
    }

    private void stopped(IdempotencyEngine.Left what) {
        world.trace(() -> this + " is shut down: " + what);
        closed = true;
        long ended = world.time.nanos();
        world.time.after(world.dice.leases(0.05, 1), this, () -> {
            world.witness.exits(this, what, ended);
            gone = true;
        });
    }

    /** After its shutdown timer and executors take nothing any more. */
    boolean closed() {
        return closed;
    }

    @Override
    public boolean gone() {
        return gone;
    }

    /** Whether it serves callers. */
    boolean alive() {
        return !gone && !stopping;
    }

    @Override
    public long pausedUntilNanos() {
        return gone ? Long.MIN_VALUE : pausedUntil;
    }

    @Override
    public String toString() {
        return name;
    }
}
