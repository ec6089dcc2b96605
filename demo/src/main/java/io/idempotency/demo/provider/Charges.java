package io.idempotency.demo.provider;

import jakarta.inject.Singleton;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/** The provider's list of charges, counted for the page. */
@Singleton
public class Charges {

    private final ProviderEntries entries;

    Charges(ProviderEntries entries) {
        this.entries = entries;
    }

    /**
     * How often one key was charged.
     *
     * @param orderId whose charges
     * @return of the key that was charged most often; more than one is a double charge
     */
    public int mostWithOneKey(String orderId) {
        Map<String, Long> byKey = entries.findByKindAndReference(ProviderController.CHARGE, orderId).stream()
                .collect(Collectors.groupingBy(
                        entry -> Objects.requireNonNullElse(entry.idempotencyKey(), ""), Collectors.counting()));
        return byKey.values().stream().mapToInt(Long::intValue).max().orElse(0);
    }
}
