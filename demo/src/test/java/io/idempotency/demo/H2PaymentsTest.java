package io.idempotency.demo;

import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import org.junit.jupiter.api.Tag;

/** Keys in the embedded default. */
@Tag("any-jdk")
@MicronautTest(transactional = false)
class H2PaymentsTest extends PaymentScenarios {}
