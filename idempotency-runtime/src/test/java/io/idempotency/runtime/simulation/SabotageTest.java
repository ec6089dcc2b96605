package io.idempotency.runtime.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.runtime.Effect;
import io.idempotency.runtime.engine.ElapsedTime;
import io.idempotency.runtime.engine.Maintenance;
import io.idempotency.runtime.store.IdempotencyStore;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import net.bytebuddy.implementation.FixedValue;
import net.bytebuddy.implementation.Implementation;
import net.bytebuddy.implementation.MethodCall;
import net.bytebuddy.implementation.StubMethod;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The simulation finds what is broken on purpose: without that its silence would mean nothing. */
@Tag("thorough")
class SabotageTest {

    private static final long SEEDS = 50_000;

    private static Silence silence;

    @BeforeAll
    static void beSilent() {
        silence = new Silence();
    }

    @AfterAll
    static void speak() {
        silence.close();
    }

    private static Arguments surroundings(String what, Sabotage sabotage) {
        LongFunction<List<String>> run =
                seed -> Simulation.run(seed, sabotage, false).broken();
        return Arguments.of(what, run);
    }

    private static Arguments engine(String what, String type, String method, Implementation instead) {
        return Arguments.of(what, BrokenEngine.with(type, method, instead));
    }

    static Stream<Arguments> whatTheEngineReliesOn() {
        return Stream.of(
                surroundings("every claim has the same owner", new Sabotage() {
                    @Override
                    public Supplier<String> tokens(Supplier<String> honest) {
                        return () -> "anybody";
                    }
                }),
                surroundings("the engine's clock stands still", new Sabotage() {
                    @Override
                    public ElapsedTime time(ElapsedTime honest) {
                        return new StoppedClock(honest);
                    }
                }),
                surroundings("what is to be done later is never done", new Sabotage() {
                    @Override
                    public Maintenance maintenance(Maintenance honest) {
                        return (store, delay, task) -> {};
                    }
                }),
                surroundings("a store that grants what somebody holds", new Sabotage() {
                    @Override
                    public IdempotencyStore store(IdempotencyStore honest) {
                        return new BrokenStores.GrantsWhatIsHeld(honest);
                    }
                }),
                surroundings("a store whose fences stand still", new Sabotage() {
                    @Override
                    public IdempotencyStore store(IdempotencyStore honest) {
                        return new BrokenStores.OneFence(honest);
                    }
                }),
                surroundings("a store that ignores operators", new Sabotage() {
                    @Override
                    public IdempotencyStore store(IdempotencyStore honest) {
                        return new BrokenStores.IgnoresOperators(honest);
                    }
                }),
                surroundings("a claim is released when its result cannot be recorded", new Sabotage() {
                    @Override
                    public IdempotencyStore connection(IdempotencyStore honest) {
                        return new BrokenStores.ReleasesOnFailure(honest);
                    }
                }));
    }

    private record StoppedClock(ElapsedTime honest) implements ElapsedTime {
        @Override
        public long nanos() {
            return 0;
        }

        @Override
        public void await(CompletableFuture<?> event, long nanos) throws InterruptedException {
            honest.await(event, nanos);
        }
    }

    static Stream<Arguments> theEngineItself() {
        Implementation nothing = StubMethod.INSTANCE;
        return Stream.of(
                engine("a renewal is not stopped", "LeaseKeeper", "giveUp", nothing),
                engine("leases are not renewed", "LeaseKeeper", "sweep", nothing),
                engine("a call does not leave the gate", "InFlightGate", "leave", nothing),
                engine("a seat is kept", "WaitingGroup$Seat", "close", nothing),
                engine("nobody leaves", "WaitingGroup", "remove", nothing),
                engine("nothing is given back", "ProtectedExecution", "close", nothing),
                engine("nothing is tried again", "Unrecorded", "drain", nothing),
                engine("what runs here is believed after its body", "ActiveClaim", "settles", nothing),
                engine("a refused task is swallowed", "IdempotencyEngine", "elsewhere", nothing),
                engine("every abandoned run is taken over", "ClaimAttempt", "takesOver", FixedValue.value(true)),
                engine(
                        "every failure counts as none",
                        "Failures",
                        "effect",
                        MethodCall.invoke(method(Effect.class, "valueOf", String.class))
                                .with("NONE")),
                engine(
                        "a lease never ends",
                        "ActiveClaim",
                        "remainingLease",
                        MethodCall.invoke(method(Duration.class, "ofDays", long.class))
                                .with(1L)));
    }

    private static Method method(Class<?> type, String name, Class<?> parameter) {
        try {
            return type.getMethod(name, parameter);
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException(e);
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource({"whatTheEngineReliesOn", "theEngineItself"})
    void isFound(String what, LongFunction<List<String>> run) {
        long[] found = LongStream.range(0, SEEDS)
                .filter(seed -> !run.apply(seed).isEmpty())
                .limit(1)
                .toArray();
        assertThat(found).as("a seed that finds: %s", what).hasSize(1);
    }
}
