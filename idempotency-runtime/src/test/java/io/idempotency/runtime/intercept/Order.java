package io.idempotency.runtime.intercept;

import io.micronaut.core.annotation.Introspected;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;

@Introspected
record Order(String id, BigDecimal amount, List<String> lines, Map<String, Integer> extras) {

    static Order of(String id, String amount) {
        return new Order(id, new BigDecimal(amount), List.of("a", "b"), Map.of("x", 1, "y", 2));
    }
}
