package com.example.shop;

import io.idempotency.IdempotencyKey;
import io.idempotency.IdempotentOperation;
import io.idempotency.NotFingerprinted;
import io.idempotency.WhenInProgress;
import jakarta.inject.Singleton;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/** One of each: records, beans, generics, sealed types, enums with bodies, containers, inheritance. */
@Singleton
class Payments extends Ledger<Payments.Receipt> {

    @IdempotentOperation(
            value = "pay",
            key = "order.id",
            retention = "7d",
            noEffectFor = {Declined.class, AssertionError.class})
    Receipt pay(Order order, Map<String, Set<UUID>> extras, Means means, int[] numbers) {
        return new Receipt(order.id());
    }

    @IdempotentOperation(value = "count", whenInProgress = WhenInProgress.WAIT, waitTimeout = "5s")
    int count(@IdempotencyKey String text, @IdempotencyKey long number) {
        return 1;
    }

    @IdempotentOperation("later")
    CompletionStage<List<Receipt>> later(Customer customer, Optional<Instant> when, Pair<Kind, byte[]> pair) {
        return null;
    }

    record Order(String id, List<Optional<Line>> lines, Map<TimeUnit, Line> more) {}

    record Line(String sku, BigDecimal amount, Order within, @NotFingerprinted String trace) {}

    record Receipt(String id) {}

    record Pair<A, B>(A first, B second) {}

    sealed interface Means permits Card, Cash, Voucher {}

    record Card(String number) implements Means {}

    enum Cash implements Means {
        COINS
    }

    static final class Voucher extends Named implements Means {

        private final long code;

        Voucher(String name, long code) {
            super(name);
            this.code = code;
        }

        public long getCode() {
            return code;
        }
    }

    static class Named {

        private final String name;

        Named(String name) {
            this.name = name;
        }

        public String getName() {
            return name;
        }
    }

    static final class Customer extends Named {

        private final boolean regular;

        Customer(String name, boolean regular) {
            super(name);
            this.regular = regular;
        }

        public boolean isRegular() {
            return regular;
        }
    }

    enum Kind {
        SMALL {
            @Override
            int size() {
                return 1;
            }
        },
        LARGE;

        int size() {
            return 2;
        }
    }

    static class Declined extends RuntimeException {}
}
