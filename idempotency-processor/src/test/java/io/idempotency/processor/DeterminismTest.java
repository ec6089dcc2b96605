package io.idempotency.processor;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.processor.compile.Compilation;
import io.idempotency.processor.compile.Payments;
import org.junit.jupiter.api.Test;

class DeterminismTest {

    private static final String MEMBERS = """
            @IdempotentOperation(value = "pay", key = "order.id", noEffectFor = {Declined.class, AssertionError.class})
            Receipt pay(Order order, Map<String, Set<UUID>> extras, Means means, int[] numbers) { return null; }
            @IdempotentOperation int pay(@IdempotencyKey String a, @IdempotencyKey long b) { return 1; }
            record Order(String id, List<Optional<Line>> lines, Map<TimeUnit, Line> more) {}
            record Line(String sku, BigDecimal amount, Order within) {}
            record Receipt(String id) {}
            sealed interface Means permits Card, Cash {}
            record Card(String number) implements Means {}
            enum Cash implements Means { COINS }
            static class Declined extends RuntimeException {}
            """;

    @Test
    void compilingTwiceGivesTheSameBytes() {
        Compilation first = Payments.compile(MEMBERS);
        Compilation second = Payments.compile(MEMBERS);

        assertThat(first.errors()).isEmpty();
        assertThat(first.classes()).hasSizeGreaterThan(10).isEqualTo(second.classes());
    }

    @Test
    void theOrderOfTheSourcesMakesNoDifference() {
        String refunds = Payments.with("@IdempotentOperation void refund(Payments.Order order) {}")
                .replace("class Payments", "class Refunds");
        Compilation one = Compilation.of(Payments.with(MEMBERS), refunds);
        Compilation other = Compilation.of(refunds, Payments.with(MEMBERS));

        assertThat(one.errors()).isEmpty();
        assertThat(one.classes()).isEqualTo(other.classes());
    }

    @Test
    void generatedSourcesHaveNoTraceOfWhenOrWhereTheyWereMade() {
        assertThat(Payments.compile(MEMBERS).generated())
                .hasSize(1)
                .allSatisfy((name, text) ->
                        assertThat(text).doesNotContain("/tmp", "202", System.getProperty("user.name") + "@"));
    }
}
