package io.idempotency.benchmarks;

import io.micronaut.serde.annotation.Serdeable;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A nested order of twelve fields, as services take them. */
@Serdeable
public record Order(
        String id,
        String customer,
        BigDecimal total,
        String currency,
        LocalDate due,
        Status status,
        boolean gift,
        int priority,
        List<Line> lines,
        Set<String> tags,
        Map<String, String> attributes,
        Address address) {

    /** Its state. */
    public enum Status {
        /** Just made. */
        NEW,
        /** Paid for. */
        PAID
    }

    /** One position. */
    @Serdeable
    public record Line(String sku, int quantity, BigDecimal price) {}

    /** Where it goes. */
    @Serdeable
    public record Address(String street, String city, String postcode, String country) {}

    static Order sample() {
        return new Order(
                "order-4711",
                "customer-42",
                new BigDecimal("129.90"),
                "EUR",
                LocalDate.of(2026, 11, 21),
                Status.PAID,
                false,
                3,
                List.of(
                        new Line("sku-1", 2, new BigDecimal("19.95")),
                        new Line("sku-2", 1, new BigDecimal("90.00")),
                        new Line("sku-3", 4, new BigDecimal("0.00"))),
                Set.of("fragile", "express", "gift-wrap"),
                Map.of("channel", "web", "campaign", "autumn", "locale", "de-DE"),
                new Address("Hauptstraße 1", "Berlin", "10115", "DE"));
    }

    /** The same with another id, which is its key. */
    Order numbered(long number) {
        return new Order(
                "order-" + number,
                customer,
                total,
                currency,
                due,
                status,
                gift,
                priority,
                lines,
                tags,
                attributes,
                address);
    }
}
