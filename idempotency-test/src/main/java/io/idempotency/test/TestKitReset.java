package io.idempotency.test;

import io.micronaut.context.annotation.Requires;
import io.micronaut.test.context.TestContext;
import io.micronaut.test.context.TestExecutionListener;
import jakarta.inject.Singleton;

/** No test finds what another one broke. */
@Singleton
@Requires(classes = TestExecutionListener.class)
@Requires(property = TestKitProperties.ENABLED, value = "true")
final class TestKitReset implements TestExecutionListener {

    private final IdempotencyTestKit kit;

    TestKitReset(IdempotencyTestKit kit) {
        this.kit = kit;
    }

    @Override
    public void beforeSetupTest(TestContext context) {
        kit.reset();
    }

    @Override
    public void afterTestExecution(TestContext context) {
        kit.reset();
    }
}
