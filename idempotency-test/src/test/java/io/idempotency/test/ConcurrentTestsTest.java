package io.idempotency.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.platform.engine.support.hierarchical.Node;
import org.junit.platform.engine.support.hierarchical.Node.ExecutionMode;
import org.junit.platform.testkit.engine.EngineTestKit;

/** The tests of a class share its kit: one must not count another's calls, or meet its faults. */
class ConcurrentTestsTest {

    @IdempotencyTest
    static class OfAnApplication {

        @Test
        void one() {}

        @Test
        void another() {}

        @Nested
        class Inner {
            @Test
            void third() {}
        }
    }

    @Test
    void theTestsOfAClassRunOneAfterTheOtherAlsoWhereAllOthersRunConcurrently() {
        assertThat(EngineTestKit.engine("junit-jupiter")
                        .selectors(selectClass(OfAnApplication.class))
                        .configurationParameter("junit.jupiter.execution.parallel.enabled", "true")
                        .configurationParameter("junit.jupiter.execution.parallel.mode.default", "concurrent")
                        .execute()
                        .testEvents()
                        .succeeded()
                        .stream())
                .hasSize(3)
                .allSatisfy(event -> assertThat(((Node<?>) event.getTestDescriptor()).getExecutionMode())
                        .isEqualTo(ExecutionMode.SAME_THREAD));
    }
}
