package io.idempotency.demo;

import io.micronaut.test.extensions.junit5.annotation.MicronautTest;

/** Keys in the embedded default. */
@MicronautTest(transactional = false)
class H2PaymentsTest extends PaymentScenarios {}
