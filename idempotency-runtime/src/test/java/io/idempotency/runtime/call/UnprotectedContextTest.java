package io.idempotency.runtime.call;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Where nothing protects a body, nothing that it derives is any other body's. */
class UnprotectedContextTest {

    private final UnprotectedContext context = new UnprotectedContext("pay");

    @Test
    void itSaysThatNothingProtectsTheBody() {
        assertThat(context.operation()).isEqualTo("pay");
        assertThat(context.isProtected()).isFalse();
        assertThat(context.fence()).isZero();
        assertThat(context.attempt()).isEqualTo(1);
        assertThat(context.remainingLease()).isEqualTo(Duration.ZERO);
        assertThat(context.leaseLost()).isFalse();
    }

    @Test
    void twoOfThemHaveNothingInCommon() {
        UnprotectedContext other = new UnprotectedContext("pay");
        assertThat(context.keyHash()).matches("[0-9a-f]{64}").isNotEqualTo(other.keyHash());
        assertThat(context.deriveKey("psp")).matches("[0-9a-f]{64}").isNotEqualTo(other.deriveKey("psp"));
        assertThat(context.deriveKey("psp", List.of(1)))
                .matches("[0-9a-f]{64}")
                .isNotEqualTo(other.deriveKey("psp", List.of(1)));
    }

    @Test
    void aNameAndItsArgumentsAreOneKey() {
        assertThat(context.deriveKey("psp"))
                .isEqualTo(context.deriveKey("psp"))
                .isNotEqualTo(context.deriveKey("mail"));
        assertThat(context.deriveKey("psp", List.of(1)))
                .isEqualTo(context.deriveKey("psp", List.of(1)))
                .isNotEqualTo(context.deriveKey("psp", List.of(2)))
                .isNotEqualTo(context.deriveKey("psp"));
    }
}
