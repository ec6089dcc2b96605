package io.idempotency.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import jakarta.inject.Inject;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;

/** What a test's set-up counted and broke is there for the test and its clean-up, and gone for the next test. */
@MicronautTest
@IdempotencyTest
class ResetTest {

    @Inject
    IdempotencyTestKit kit;

    @BeforeEach
    void first() {
        kit.effects("charge").happen("first");
    }

    @BeforeEach
    void second() {
        kit.effects("charge").happen("second");
    }

    @RepeatedTest(2)
    void theTest() {
        assertThat(kit.effects("charge")).happened(2);
        kit.effects("charge").happen("first");
    }

    @AfterEach
    void check() {
        assertThat(kit.effects("charge")).happened(3);
    }
}
