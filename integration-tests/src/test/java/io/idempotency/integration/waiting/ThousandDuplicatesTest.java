package io.idempotency.integration.waiting;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A thousand calls of one key on two JVMs: one body, one answer, and hardly anything for the store to do. */
@Tag("thorough")
class ThousandDuplicatesTest {

    private static final int EACH = 500;
    private static final Duration PATIENCE = Duration.ofSeconds(50);

    static Stream<Named<Supplier<Backend>>> backends() {
        return Stream.of(Named.of("Redis", RedisBackend::new), Named.of("PostgreSQL", PostgresBackend::new));
    }

    @ParameterizedTest
    @MethodSource("backends")
    void theyRunTheBodyOnceAndCostAHandfulOfCommands(Supplier<Backend> supplier) throws Exception {
        try (Backend backend = supplier.get();
                Node one = Node.start(backend.properties());
                Node two = Node.start(backend.properties())) {
            backend.reset();
            one.call(EACH);
            Awaitility.await("node one owns the key").atMost(PATIENCE).until(() -> backend.commands() > 0);
            two.call(EACH);
            Awaitility.await("node two listens").atMost(PATIENCE).until(() -> backend.waitedFor() == 1);
            one.finish();
            assertThat(one.results()).isEqualTo(EACH + " [paid] in 1 runs");
            assertThat(two.results()).isEqualTo(EACH + " [paid] in 0 runs");

            System.out.println(2 * EACH + " duplicates on two JVMs cost " + backend.commands() + " store commands on "
                    + backend.getClass().getSimpleName() + ": " + backend.counted());
            // 2 of the first node, 3 of the second, and its looks until it could listen, about five a second
            assertThat(backend.commands()).isLessThan(2 * EACH / 10);
        }
    }

    @ParameterizedTest
    @MethodSource("backends")
    void whereTheyAreRejectedTheNodeThatRunsTheBodyNeedNotAsk(Supplier<Backend> supplier) throws Exception {
        try (Backend backend = supplier.get();
                Node node = Node.start(backend.properties())) {
            node.callWithoutWaiting(1);
            Awaitility.await("the body runs").atMost(PATIENCE).until(() -> node.runs() == 1);
            backend.reset();
            node.callWithoutWaiting(2 * EACH);
            long commands = backend.commands();
            node.finish();
            assertThat(node.results()).isEqualTo(2 * EACH + 1 + " [in-progress, paid] in 1 runs");

            System.out.println(2 * EACH + " rejected duplicates cost " + commands + " store commands on "
                    + backend.getClass().getSimpleName());
            assertThat(commands)
                    .isLessThan(2 * EACH / 50); // renewals, and looks of what listens: two on a quiet machine
        }
    }
}
