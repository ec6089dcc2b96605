package io.idempotency.test.servers;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestPlan;

/**
 * Where servers and JVMs are started beside the tests of other modules, what a test waits for may take longer than Awaitility's ten
 * seconds. It costs nothing where it comes.
 */
public final class Patience implements TestExecutionListener {

    private static final Duration ANSWER = Duration.ofSeconds(30);

    @Override
    public void testPlanExecutionStarted(TestPlan plan) {
        Awaitility.setDefaultTimeout(ANSWER);
    }
}
