package io.idempotency.http.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class IdempotencyKeysTest {

    @Test
    void aNewKeyIsTheExampleOfTheRfcForItsTimeAndRandomness() {
        // RFC 9562, appendix A.6
        UUID random = new UUID(0x0000_0000_0000_4cc3L, 0x98c4_dc0c_0c07_398fL);
        assertThat(IdempotencyKeys.version7(0x017f22e279b0L, random))
                .hasToString("017f22e2-79b0-7cc3-98c4-dc0c0c07398f");
    }

    @Test
    void newKeysDifferAndSortByTime() {
        Set<String> keys =
                IntStream.range(0, 10_000).mapToObj(i -> IdempotencyKeys.next()).collect(Collectors.toSet());
        assertThat(keys).hasSize(10_000);
        String early = IdempotencyKeys.version7(1_000, UUID.randomUUID()).toString();
        String late = IdempotencyKeys.version7(1_001, UUID.randomUUID()).toString();
        assertThat(early).isLessThan(late);
        assertThat(UUID.fromString(early).variant()).isEqualTo(2);
    }
}
